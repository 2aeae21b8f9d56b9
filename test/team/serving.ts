/** `ken serve` as a team runs it: real processes behind a proxy, on a real PostgreSQL. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { formatTopicFile, parseTopicFile } from '../../src/adapters/files/references/topic-file.ts';
import { postgresAccessStore } from '../../src/adapters/postgres/access/access-store.ts';
import { postgresJobStore } from '../../src/adapters/postgres/approvals/job-store.ts';
import { postgresSharedConversations } from '../../src/adapters/postgres/conversations/shared-conversations.ts';
import { postgresSharedTopics } from '../../src/adapters/postgres/knowledge-base/shared-topics.ts';
import { postgresLedgerStore } from '../../src/adapters/postgres/ledger/ledger-store.ts';
import { postgresReferenceLibrary } from '../../src/adapters/postgres/references/library.ts';
import { openDatabase } from '../../src/adapters/postgres/seam/open-database.ts';
import { systemClock, systemHasher, systemIds } from '../../src/adapters/system/primitives.ts';
import { exampleTopic } from '../../src/domain/references/topic/library.contract.ts';
import type { Scope } from '../../src/domain/team/access.ts';
import { sharedAt } from '../../src/domain/team/conversations/shared-conversations.contract.ts';
import { exampleShared } from '../../src/domain/team/topics/shared-topics.contract.ts';
import { hashOf, newToken } from '../../src/entry/serve/authenticate.ts';
import { sandbox } from '../cli/ken.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { databaseUrl, newTenant } from './postgres.ts';

const launcher = path.join(import.meta.dirname, '../../bin/ken.cjs');
export const PUBLIC = 'https://ken.example.org';
const ids = systemIds(systemClock);

export interface TeamPlaceOptions {
  readonly processes?: number;
  readonly settings?: Readonly<Record<string, string>>;
  readonly words?: readonly string[];
  /** The address of another database than the tests share. */
  readonly url?: string;
}

/** A team with processes that serve it. */
export async function servedTeam({
  processes = 1,
  settings = {},
  words = [],
  ...given
}: TeamPlaceOptions = {}) {
  const { team } = newTenant();
  const url = given.url ?? (await databaseUrl());
  const database = await openDatabase(url);
  onTestFinished(() => database.close());
  const access = postgresAccessStore(database, team);
  const servers = await Promise.all(
    Array.from({ length: processes }, () => startServe(url, { 'team.name': team, ...settings }, words)),
  );
  return {
    team,
    access,
    database,
    servers,
    /** Waits for the end of the work that an approval began; the page may answer before. */
    async endOfWork(approvalId: string): Promise<string> {
      const jobs = postgresJobStore(database, team);
      for (;;) {
        const job = await jobs.get(approvalId);
        if (job && job.state.status !== 'running') return job.state.status;
      }
    },
    ledger: (workspace: string) => postgresLedgerStore(database, { team, workspace }),
    /** Shares a topic of the knowledge base. */
    subjects: (workspace: string, id: string, files: Readonly<Record<string, string>>) =>
      postgresSharedTopics(database, { team, workspace }).put(exampleShared(id, files), undefined),
    /** Shares a conversation with one question and its answer. */
    async conversation(workspace: string, minute: number, text: string, answer = 'So it is.') {
      const shared = sharedAt(minute, `Talk ${minute}`);
      const at = new Date(shared.metadata.createdAt).toISOString();
      const events = [
        { type: 'turn_start', at, turn: 1 },
        { type: 'user_message', at, text },
        { type: 'assistant_message', at, text: answer, model: 'x/y', finish: 'stop' },
      ];
      const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
      await postgresSharedConversations(database, { team, workspace }).put(shared, lines);
      return shared.id;
    },
    /** Shares a reference topic. */
    async reference(workspace: string, slug: string, files: Readonly<Record<string, string>>) {
      const topicFormat = { format: formatTopicFile, parse: parseTopicFile };
      const library = postgresReferenceLibrary({ database, tenant: { team, workspace }, topicFormat });
      const staged = await library.stage();
      const locked = Object.entries(files).map(([file, content]) => ({
        path: file,
        source: 'https://example.org/o/signals',
        commit: 'c0ffee0000000000000000000000000000000000',
        sha256: systemHasher.sha256(content),
        bytes: content.length,
        fetchedAt: Date.now(),
      }));
      for (const [file, content] of Object.entries(files)) await staged.write(file, Buffer.from(content));
      const title = `About ${slug}`;
      await staged.publish(exampleTopic({ slug, title, fetchedAt: Date.now() }), {
        files: locked,
        skipped: [],
      });
      return library;
    },
    member: (person: string, workspace: string, ...scopes: Scope[]) =>
      access.putMember({ person, workspace, scopes }),
    async token(
      person: string,
      scopes: readonly Scope[],
      more: { workspace?: string; expires?: number } = {},
    ) {
      const secret = newToken(ids);
      const id = ids.token(6);
      const expires = more.expires ?? Date.now() + 3_600_000;
      const fields = {
        id,
        person,
        scopes,
        workspace: more.workspace,
        created: Date.now(),
        expires,
        revoked: undefined,
      };
      await access.putToken({ ...fields, hash: hashOf(secret) });
      return { secret, id };
    },
    async login(person: string) {
      const secret = ids.token(32);
      await access.putLogin({ hash: hashOf(secret), person, expires: Date.now() + 60_000 });
      return `/login/${secret}`;
    },
  };
}

export type ServedTeam = Awaited<ReturnType<typeof servedTeam>>;

interface Served {
  readonly process: ChildProcess;
  readonly port: number;
  readonly errors: string[];
}

async function startServe(
  url: string,
  settings: Readonly<Record<string, string>>,
  words: readonly string[],
): Promise<Served> {
  const { root, home } = sandbox();
  writeOwnConfig(
    home,
    Object.entries(settings)
      .map(([key, value]) => `${key} = ${value.startsWith('[') ? value : JSON.stringify(value)}\n`)
      .join(''),
  );
  const given = words.length > 0 ? words : ['--behind-proxy', '127.0.0.1/32'];
  const all = [launcher, 'serve', '--port', '0', '--public-url', PUBLIC, ...given];
  const environment = { PATH: process.env.PATH ?? '', HOME: home, KEN_HOME: home, KEN_TEAM_URL: url };
  const child = spawn(process.execPath, all, {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => {
      throw new Error(`ken serve has ended: ${errors.join('\n')}`);
    }),
  ])) as [string];
  return { process: child, port: Number(new URL(line).port), errors };
}

export function warningsOf({ errors }: Pick<Served, 'errors'>): readonly string[] {
  return errors.filter((line) => line.startsWith('warning'));
}

/** A proxy that ends TLS and asks the servers in turn; `client` is the address that it tells them. */
export async function roundRobin(servers: readonly Served[], client = '203.0.113.7') {
  let turn = 0;
  const proxy = http.createServer((request, response) => {
    const { port = 0 } = servers[turn++ % servers.length] ?? {};
    const headers = {
      ...request.headers,
      host: new URL(PUBLIC).host,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': client,
    };
    const { url: path, method } = request;
    const onward = http.request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/** A browser that keeps cookies, as far as these tests need one. */
export function browser(base: string) {
  const cookies = new Map<string, string>();
  async function ask(pathname: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie && { cookie }), ...(init.headers as Record<string, string>) };
    const answer = await fetch(new URL(pathname, base), { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /Max-Age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }
  const tokenIn = (text: string) => /name="form_token" value="([0-9a-f]+)"/.exec(text)?.[1] ?? '';
  return {
    cookies,
    get: (pathname: string) => ask(pathname),
    stream: (pathname: string, signal: AbortSignal) => ask(pathname, { signal }),
    async json(pathname: string): Promise<ReturnType<typeof JSON.parse>> {
      return (await ask(pathname)).json();
    },
    /** Sends a form with the token of the page at `from`. */
    async post(pathname: string, fields: Readonly<Record<string, string>>, from = '/') {
      const form_token = tokenIn(await (await ask(from)).text());
      const body = new URLSearchParams({ form_token, ...fields });
      return ask(pathname, { method: 'POST', body, headers: { origin: PUBLIC } });
    },
    async signIn(address: string) {
      return ask(address, { method: 'POST', body: new URLSearchParams(), headers: { origin: PUBLIC } });
    },
  };
}

/** A call over MCP, in the revision without an envelope. */
export async function mcpCall(
  base: string,
  {
    token,
    workspace,
    method,
    params = {},
  }: { token?: string; workspace?: string; method: string; params?: object },
): Promise<{
  readonly status: number;
  readonly body: ReturnType<typeof JSON.parse>;
  readonly headers: Headers;
}> {
  const answer = await fetch(`${base}/mcp${workspace === undefined ? '' : `/${workspace}`}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await answer.text();
  const data =
    text
      .split('\n')
      .findLast((line) => line.startsWith('data: '))
      ?.slice(6) ?? text;
  return { status: answer.status, body: parsed(data), headers: answer.headers };
}

function parsed(text: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export async function callTool(base: string, token: string, name: string, given: object, workspace?: string) {
  const { body, status } = await mcpCall(base, {
    token,
    method: 'tools/call',
    params: { name, arguments: given },
    ...(workspace !== undefined && { workspace }),
  });
  const text =
    body?.result?.content?.map((each: { text: string }) => each.text).join('\n') ?? JSON.stringify(body);
  return {
    status,
    isError: body?.result?.isError ?? body?.error !== undefined,
    text,
    data: body?.result?.structuredContent,
  };
}
