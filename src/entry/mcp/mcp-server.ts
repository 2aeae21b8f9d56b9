import {
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { VERSION } from '../../base/package-files.ts';
import { compareCodePoints } from '../../base/text.ts';
import { topicMenuLine } from '../../domain/knowledge-base/knowledge-section.ts';
import { hasListedSubjects } from '../../domain/knowledge-base/open-topics.ts';
import { briefText } from '../../domain/turns/assistant-brief.ts';
import { approvedRules } from '../../domain/turns/rules-section.ts';
import { callTool } from './call-tool.ts';
import { callerOf } from './caller.ts';
import { complete } from './completions.ts';
import { withPlainErrors } from './plain-errors.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { listResources, RESOURCE_TEMPLATES, readResource } from './resources.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import { definitionOf, toolsFor } from './tool-list.ts';

/** The factory runs for every connection on standard input and for every request over HTTP. */
export function mcpServers(served: ServedWorkspace): McpServerFactory {
  return async ({ era }) => {
    const server = new Server(
      { name: 'ken', title: 'ken', version: VERSION },
      {
        // The newest revision tells servers to log to standard error only.
        capabilities: {
          tools: {},
          resources: {},
          prompts: {},
          completions: {},
          ...(era === 'legacy' && { logging: {} }),
        },
        instructions: await instructionsFor(served),
      },
    );
    const context = era === 'legacy' ? withClientLog(served, server) : served;
    server.onerror = ({ message }) => context.note(message);
    const connect = server.connect.bind(server);
    server.connect = (transport) => connect(withPlainErrors(transport, era));
    addTools(context, server);
    addResources(context, server);
    addPrompts(context, server);
    server.setRequestHandler('completion/complete', (request) => complete(context, request));
    return server;
  };
}

async function instructionsFor({ app, topics }: ServedWorkspace): Promise<string> {
  const pending = await app.approvals.list(
    { statuses: ['pending'], workspace: app.workspace.root },
    app.clock.now(),
  );
  const menu = (await topics()).filter(hasListedSubjects).map(({ topic }) => topicMenuLine(topic));
  return briefText({ rules: await approvedRules(app), waiting: pending.length, menu });
}

/** Sends ken's errors and the client's own mistakes to the client's log too. */
function withClientLog(served: ServedWorkspace, server: Server): ServedWorkspace {
  const log = (level: 'error' | 'debug', data: string) =>
    // The client may be gone.
    void server.sendLoggingMessage({ level, logger: 'ken', data }).catch(() => {});
  return {
    ...served,
    report(error) {
      served.report(error);
      log('error', error instanceof Error ? error.message : String(error));
    },
    note(text) {
      served.note(text);
      log('debug', text);
    },
  };
}

function addTools(served: ServedWorkspace, server: Server): void {
  server.setRequestHandler('tools/list', async (_, context) => {
    const tools = await toolsFor(served, served.app, callerOf(server, context).name);
    return { tools: tools.map(definitionOf) };
  });
  server.setRequestHandler('tools/call', (request, context) => callTool(served, server, request, context));
}

function addResources(served: ServedWorkspace, server: Server): void {
  server.setRequestHandler('resources/list', async ({ params }) => {
    const { items, ...rest } = pageOf(await listResources(served), ({ uri }) => uri, params?.cursor);
    return { resources: items, ...rest };
  });
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: RESOURCE_TEMPLATES,
  }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(served, params.uri));
}

function addPrompts(served: ServedWorkspace, server: Server): void {
  server.setRequestHandler('prompts/list', async ({ params }) => {
    const { items, ...rest } = pageOf(await listPrompts(served), ({ name }) => name, params?.cursor);
    return { prompts: items, ...rest };
  });
  server.setRequestHandler('prompts/get', ({ params }) =>
    getPrompt(served, params.name, params.arguments ?? {}),
  );
}

const PAGE_SIZE = 100;

export interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor?: string;
}

/** Sorted by key, which the cursor holds: items added or removed between two pages cause no repetition or gap. */
export function pageOf<Item>(
  all: readonly Item[],
  keyOf: (item: Item) => string,
  cursor: string | undefined,
): Page<Item> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const sorted = all.toSorted((a, b) => compareCodePoints(keyOf(a), keyOf(b)));
  const rest =
    after === undefined ? sorted : sorted.filter((item) => compareCodePoints(keyOf(item), after) > 0);
  const items = rest.slice(0, PAGE_SIZE);
  const last = items.at(-1);
  if (last === undefined || rest.length <= PAGE_SIZE) return { items };
  return { items, nextCursor: Buffer.from(`${MARK}${keyOf(last)}`).toString('base64url') };
}

const MARK = 'after:';

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (text.startsWith(MARK)) return text.slice(MARK.length);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not one that this server gave.');
}
