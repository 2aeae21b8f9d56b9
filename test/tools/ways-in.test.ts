/** Every tool by every way in: a tool that asks waits, whoever calls it. */

import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isInWorkspace } from '../../src/app.ts';
import { openApp } from '../../src/compose.ts';
import { prepareTurn } from '../../src/domain/turns/prepare-turn.ts';
import { builtinTools } from '../../src/domain/turns/tools/builtin-tools.ts';
import { turnPorts } from '../../src/entry/turn-ports.ts';
import { openWorkspace } from '../../src/library.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { connect, textOf } from '../mcp/connect.ts';
import { gardenWorkspace } from '../mcp/garden.ts';
import { serve } from '../web/servers.ts';

const never = new AbortController().signal;
const CONFIG = `assistant.model = "loop/m"
providers.llm.loop = { kind = "openai-compatible", base_url = "http://127.0.0.1:9" }
[conversation.tools.mark]
command = "touch marked"
[conversation.tools.tell]
command = "echo told"
run = "unattended"
[conversation.tools.never]
command = "touch never"
run = "deny"
`;

type Cell = 'runs' | 'waits' | 'is not there';

/** Arguments that fit, for each tool that there is. */
const CALLS: Readonly<Record<string, object>> = {
  learn: { topic: 'project' },
  search: { question: 'deploy' },
  show: { uri: 'ken://kb/garden/tea' },
  kb_propose: { topic: 'project', slug: 'new', text: 'New.' },
  knowledge_search: { query: 'deploy' },
  knowledge_add: { title: 'a', text: 'b', provenance: ['cmd:x'] },
  knowledge_feedback: { query: 'a', returned_ids: [], used_ids: [], outcome: 'neutral' },
  knowledge_promote: { source_entry_id: 'x', evidence_refs: ['cmd:x'], reason: 'r', as: 'rule' },
  reference_topic_create: { title: 'x', sources: [{ type: 'git', url: 'nowhere' }] },
  reference_topic_update: { topic_id: 'x' },
  reference_topic_search: { query: 'x' },
  reference_topic_list: {},
  reference_search: { question: 'x' },
  web_fetch: { url: '' },
  mark: {},
  tell: {},
  never: {},
};

async function scene(more = '') {
  const server = await serve((_request, response) => response.end('a page'));
  const place = gardenWorkspace();
  mkdirSync(path.join(place.home, 'config'), { recursive: true });
  const allow = `[net]\nallow = ["127.0.0.1:${server.port}"]\n`;
  writeOwnConfig(place.home, `${CONFIG}${more}${allow}`);
  const url = `http://127.0.0.1:${server.port}/`;
  // A request that carries a secret out in its path, if anything is looked up before it is approved.
  const reference_topic_create = { title: 'x', sources: [{ type: 'git', url: `${url}secret.git` }] };
  const calls = Object.entries({ ...CALLS, web_fetch: { url }, reference_topic_create }).map(
    ([name, given]) => ({ name, given }),
  );
  return { place, server, calls, environment: { KEN_HOME: place.home, PATH: process.env.PATH } };
}

async function openedApp(directory: string, environment: Record<string, string | undefined>) {
  const app = await openApp({ assignments: [], workspace: undefined, directory, environment, warn() {} });
  if (!isInWorkspace(app)) throw new Error('not in a workspace');
  return turnPorts(app);
}

function cellOf(text: string): Cell {
  if (text.startsWith('There is no tool')) return 'is not there';
  expect(text).not.toContain('do not fit its parameters');
  return text.startsWith('APPROVAL_REQUIRED:TOOL_RUN') ? 'waits' : 'runs';
}

async function waysIn(
  place: ReturnType<typeof gardenWorkspace>,
  app: Awaited<ReturnType<typeof openedApp>>,
  environment: Record<string, string | undefined>,
) {
  const recordDecision = async () => {};
  const turn = await prepareTurn(app, { tools: { only: [], without: [] }, recordDecision }, never);
  const inTurn = async (name: string, given: object) => {
    const call = { id: name, name, arguments: { ...given } };
    const { outcome } = await turn.tools.call(
      call,
      { conversation: 'c1', recordDecision, onProgress() {} },
      never,
    );
    return outcome.type === 'error' ? outcome.message : '';
  };
  const { client } = await connect(place, { words: ['mcp', '--tools', 'all'] });
  const overMcp = async (name: string, given: object) =>
    client
      .callTool({ name, arguments: { ...given } })
      .then(textOf, (error: Error) => error.message.replace(/^.*?(?=There is no tool)/, ''));
  const ken = await openWorkspace(place.root, { environment });
  const inLibrary = async (name: string, given: object) =>
    ken.call(name, { ...given }).then(
      ({ isError, text }) => (isError ? text : ''),
      (error: Error) => error.message,
    );
  const byCommand = async (name: string, given: object): Promise<Cell> => {
    const { code, stderr } = await place.ken(['tools', 'run', name, JSON.stringify(given), '--json']);
    expect(stderr).not.toContain('do not fit');
    const isAboutRunning = /Run tool|denied by its configuration/.test(stderr);
    return code === 4 && isAboutRunning ? 'waits' : 'runs';
  };
  const cellsOf = async (name: string, given: object): Promise<readonly Cell[]> => {
    const texts = [await inTurn(name, given), await overMcp(name, given), await inLibrary(name, given)];
    return [...texts.map(cellOf), await byCommand(name, given)];
  };
  const close = async () => {
    await ken.close();
    await app.close();
  };
  return { cellsOf, close };
}

/** Columns: in a turn, over MCP, in the library, by `ken tools run` without a terminal. */
const EXPECTED: Readonly<Record<string, readonly Cell[]>> = {
  learn: ['runs', 'runs', 'runs', 'runs'],
  search: ['runs', 'runs', 'runs', 'runs'],
  show: ['runs', 'runs', 'runs', 'runs'],
  kb_propose: ['runs', 'runs', 'runs', 'runs'],
  knowledge_search: ['runs', 'runs', 'runs', 'runs'],
  knowledge_add: ['runs', 'runs', 'runs', 'runs'],
  knowledge_feedback: ['runs', 'runs', 'runs', 'runs'],
  knowledge_promote: ['runs', 'runs', 'runs', 'runs'],
  reference_topic_create: ['runs', 'runs', 'runs', 'runs'],
  reference_topic_update: ['waits', 'waits', 'waits', 'waits'],
  reference_topic_search: ['runs', 'runs', 'runs', 'runs'],
  reference_topic_list: ['runs', 'runs', 'runs', 'runs'],
  reference_search: ['runs', 'runs', 'runs', 'runs'],
  web_fetch: ['waits', 'is not there', 'waits', 'waits'],
  mark: ['waits', 'is not there', 'is not there', 'waits'],
  tell: ['runs', 'is not there', 'is not there', 'runs'],
  never: ['is not there', 'is not there', 'is not there', 'waits'],
};

it('a tool that asks waits by every way in, and nothing of it happens', async () => {
  const { place, server, calls, environment } = await scene();
  const app = await openedApp(place.root, environment);
  const names = builtinTools(app, {
    knowledge: { topics: [], maxSubjectBytes: 1, preloadBudgetTokens: 0 },
    opened: [],
    actor: { name: 'test', run: 'r' },
  });
  expect(Object.keys(CALLS)).toEqual(expect.arrayContaining([...names.keys()]));

  const { cellsOf, close } = await waysIn(place, app, environment);

  const found: Record<string, readonly Cell[]> = {};
  for (const { name, given } of calls) found[name] = await cellsOf(name, given);
  await close();

  expect(found).toEqual(EXPECTED);
  expect({ requests: server.requests, connections: server.connections() }).toEqual({
    requests: [],
    connections: 0,
  });
  expect(['marked', 'never'].map((name) => existsSync(path.join(place.root, name)))).toEqual([false, false]);
});

/** Settings of ken's own tools, which hold by every way in; a person may call one that is not enabled. */
const CONFIGURED = `[conversation.tools.knowledge_add]
run = "ask"
[conversation.tools.knowledge_feedback]
enable = false
[conversation.tools.knowledge_search]
run = "deny"
[conversation.tools.find]
source = "builtin.search"
run = "ask"
[conversation.tools.web_fetch]
run = "deny"
`;
const AS_CONFIGURED: Readonly<Record<string, readonly Cell[]>> = {
  learn: ['runs', 'runs', 'runs', 'runs'],
  search: ['is not there', 'is not there', 'is not there', 'runs'],
  find: ['waits', 'waits', 'waits', 'waits'],
  knowledge_search: ['is not there', 'is not there', 'is not there', 'waits'],
  knowledge_add: ['waits', 'waits', 'waits', 'waits'],
  knowledge_feedback: ['is not there', 'is not there', 'is not there', 'runs'],
  web_fetch: ['is not there', 'is not there', 'is not there', 'waits'],
};

it('a tool of ken’s own is as it is configured, by every way in', async () => {
  const { place, server, calls, environment } = await scene(CONFIGURED);
  const app = await openedApp(place.root, environment);
  const { cellsOf, close } = await waysIn(place, app, environment);
  const given = new Map(calls.map((call) => [call.name, call.given]));

  const found: Record<string, readonly Cell[]> = {};
  for (const name of Object.keys(AS_CONFIGURED))
    found[name] = await cellsOf(name, given.get(name === 'find' ? 'search' : name) ?? {});
  await close();

  expect(found).toEqual(AS_CONFIGURED);
  expect(server.requests).toEqual([]);
});
