import type { Tool } from '@modelcontextprotocol/server';
import { CARD_URI, WITH_CARDS } from '../extensions/card-resource.ts';
import { listPrompts } from '../prompts.ts';
import { listResources, readAnyResource } from '../resources.ts';
import type { ServedWorkspace } from '../served-workspace.ts';
import { definitionOf, toolsFor } from '../tool-list.ts';
import { type ChangeWatch, changeWatch, type ListName } from './change-watch.ts';
import { rootsByResult } from './client-roots.ts';
import type { Serving } from './serving.ts';

/** Shared by all connections of a server. */
export interface McpContext {
  readonly serving: Serving;
  readonly watch: ChangeWatch;
  /** Absent where clients are not asked for their directories. */
  readonly roots?: ReturnType<typeof rootsByResult>;
  /** One client on standard input and output. */
  readonly isOnePipe: boolean;
}

export interface ContextInput {
  readonly serving: Serving;
  readonly asksForRoots: boolean;
  readonly isOnePipe: boolean;
  report(error: unknown): void;
}

export function mcpContext({ serving, asksForRoots, isOnePipe, report }: ContextInput): McpContext {
  const watch = changeWatch({
    serving,
    list: listOf,
    read: async (served, uri) => {
      const contents = await readAnyResource(served, uri).catch(() => undefined);
      return contents && JSON.stringify(contents).replaceAll(FENCE_NAME, '');
    },
    report,
  });
  const roots = rootsByResult(() => performance.now());
  return { serving, watch, isOnePipe, ...(asksForRoots && { roots }) };
}

/** Made anew for every answer. */
const FENCE_NAME = /\bdata [0-9a-f]{16,}\b/g;

/** For clients that show cards. */
export function withCardResource(tool: Tool): Tool {
  if (!WITH_CARDS.includes(tool.name)) return tool;
  return { ...tool, _meta: { ...tool._meta, ui: { resourceUri: CARD_URI } } };
}

export async function listTools(served: ServedWorkspace, caller = 'mcp'): Promise<Tool[]> {
  return (await toolsFor(served, served.app, caller)).map(definitionOf);
}

async function listOf(served: ServedWorkspace, list: ListName): Promise<readonly object[]> {
  if (list === 'prompts') return listPrompts(served);
  return list === 'resources' ? listResources(served) : listTools(served);
}
