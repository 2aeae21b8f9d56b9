/** Clients from the official SDK against the real binary. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { childProgram } from '../child-program.ts';
import type { Sandbox } from '../cli/ken.ts';
import { LAUNCHER } from '../cli/launcher.ts';

export { LAUNCHER };
/** The same server with tools that misbehave beside ken's own. */
export const ODD_SERVER = childProgram('mcp/odd-server');

/** Both revisions that ken speaks, as a client chooses between them. */
export const ERAS = [
  { revision: '2025-11-25', mode: 'legacy' },
  { revision: '2026-07-28', mode: { pin: '2026-07-28' } },
] as const;

export type Era = (typeof ERAS)[number];
export type TransportKind = 'stdio' | 'http';

export interface ConnectOptions {
  readonly era?: Era;
  readonly transport?: TransportKind;
  readonly name?: string;
  /** After `ken`; `mcp` if absent. */
  readonly words?: readonly string[];
  readonly program?: string;
  readonly capabilities?: ClientOptions['capabilities'];
  /** Variables beside the usual ones. */
  readonly environment?: Readonly<Record<string, string>>;
  prepare?(client: Client): void;
}

export interface Connected {
  readonly client: Client;
  /** Process id of the server. */
  readonly pid: number;
  /** Standard error of the server so far. */
  said(): string;
  /** One more client, of the same server where it can have several. */
  another(): Promise<Connected>;
}

export async function connect(place: Sandbox, options: ConnectOptions = {}): Promise<Connected> {
  if (options.transport !== 'http') return connectByPipe(place, options);
  return connectTo(await startHttp(place, options), options);
}

async function connectByPipe(place: Sandbox, options: ConnectOptions): Promise<Connected> {
  const { words = ['mcp'], program = LAUNCHER, environment } = options;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...words],
    cwd: place.root,
    env: { ...serverEnvironment(place), ...environment },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const client = clientOf(options);
  await client.connect(transport);
  const another = () => connectByPipe(place, options);
  return { client, pid: transport.pid ?? 0, said: () => said, another };
}

export interface HttpServer {
  readonly url: string;
  readonly token: string;
  readonly child: ChildProcess;
  said(): string;
}

/** On a port of its own, until the test is over. */
export async function startHttp(place: Sandbox, options: ConnectOptions = {}): Promise<HttpServer> {
  const { words = ['mcp'], program = LAUNCHER, environment } = options;
  const child = spawn(process.execPath, [program, ...words, '--http', '0'], {
    cwd: place.root,
    env: { ...serverEnvironment(place), ...environment },
  });
  onTestFinished(async () => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGTERM');
    await ended;
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [line]: Buffer[] = await once(child.stdout, 'data');
  const token = /^Authorization: Bearer (\w+)$/m.exec(said)?.[1] ?? '';
  return { url: String(line).trim(), token, child, said: () => said };
}

async function connectTo(server: HttpServer, options: ConnectOptions): Promise<Connected> {
  const client = clientOf(options);
  const headers = { Authorization: `Bearer ${server.token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
  const another = () => connectTo(server, options);
  return { client, pid: server.child.pid ?? 0, said: server.said, another };
}

function clientOf({ era = ERAS[1], name = 'test', capabilities = {}, prepare }: ConnectOptions): Client {
  const client = new Client(
    { name, version: '1.0.0' },
    { versionNegotiation: { mode: era.mode }, capabilities },
  );
  prepare?.(client);
  onTestFinished(() => client.close());
  return client;
}

export function serverEnvironment({ home }: Sandbox): Record<string, string> {
  // The server with odd tools runs from its sources: read once, it starts in half the time.
  const NODE_COMPILE_CACHE = path.join(tmpdir(), 'compiled-modules');
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    KEN_HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NODE_COMPILE_CACHE,
  };
}

interface TextAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

export function textOf(answer: TextAnswer): string {
  return answer.content.map(({ text }) => text ?? '').join('\n');
}
