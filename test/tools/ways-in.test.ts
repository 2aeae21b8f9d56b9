/** Every tool by every way in: a tool that asks waits, whoever calls it. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isInWorkspace } from '../../src/app.ts';
import { openApp } from '../../src/compose.ts';
import { prepareTurn } from '../../src/domain/turns/prepare-turn.ts';
import { builtinTools } from '../../src/domain/turns/tools/builtin-tools.ts';
import { turnPorts } from '../../src/entry/turn-ports.ts';
import { openWorkspace } from '../../src/library.ts';
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

async function scene() {
  const server = await serve((_request, response) => response.end('a page'));
  const place = gardenWorkspace();
  mkdirSync(path.join(place.home, 'config'), { recursive: true });
  const allow = `[net]\nallow = ["127.0.0.1:${server.port}"]\n`;
  writeFileSync(path.join(place.home, 'config/config.toml'), `${CONFIG}${allow}`);
  const url = `http://127.0.0.1:${server.port}/`;
  const calls = Object.entries({ ...CALLS, web_fetch: { url } }).map(([name, given]) => ({ name, given }));
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

/** Columns: in a turn, over MCP, in the library, by `ken tools run` without a terminal. */
const EXPECTED: Readonly<Record<string, readonly Cell[]>> = {
  learn: ['runs', 'runs', 'runs', 'runs'],
  search: ['runs', 'runs', 'runs', 'runs'],
  knowledge_search: ['runs', 'runs', 'runs', 'runs'],
  knowledge_add: ['runs', 'runs', 'runs', 'runs'],
  knowledge_feedback: ['runs', 'runs', 'runs', 'runs'],
  knowledge_promote: ['runs', 'runs', 'runs', 'runs'],
  reference_topic_create: ['runs', 'runs', 'runs', 'runs'],
  reference_topic_update: ['runs', 'runs', 'runs', 'runs'],
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

  const noteDecision = async () => {};
  const turn = await prepareTurn(app, { tools: { only: [], without: [] }, noteDecision }, never);
  const inTurn = async (name: string, given: object) => {
    const call = { id: name, name, arguments: { ...given } };
    const { outcome } = await turn.tools.call(call, { noteDecision, onProgress() {} }, never);
    return outcome.type === 'error' ? outcome.message : '';
  };
  const { client } = await connect(place);
  const overMcp = async (name: string, given: object) =>
    client
      .callTool({ name, arguments: { ...given } })
      .then(textOf, (error: Error) => error.message.replace(/^.*?(?=There is no tool)/, ''));
  await using ken = await openWorkspace(place.root, { environment });
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

  const found: Record<string, readonly Cell[]> = {};
  for (const { name, given } of calls) {
    const texts = [await inTurn(name, given), await overMcp(name, given), await inLibrary(name, given)];
    found[name] = [...texts.map(cellOf), await byCommand(name, given)];
  }
  await app.close();

  expect(found).toEqual(EXPECTED);
  expect(server.requests).toEqual([]);
  expect(['marked', 'never'].map((name) => existsSync(path.join(place.root, name)))).toEqual([false, false]);
});
