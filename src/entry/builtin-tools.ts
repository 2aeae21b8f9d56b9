/** What ken brings itself for an assistant to call, in a query and over MCP alike. A new tool joins here. */

import type { WorkspaceApp } from '../app.ts';
import { learnTool } from '../domain/knowledge-base/learn-tool.ts';
import type { OpenTopic } from '../domain/knowledge-base/open-topics.ts';
import type { KnowledgeBase } from '../domain/knowledge-base/topic.ts';
import type { Actor } from '../domain/ledger/add-entry.ts';
import { ledgerTools } from '../domain/ledger/ledger-tools.ts';
import { type ReferenceUser, referenceTools } from '../domain/references/tools/reference-tools.ts';
import { webFetchTool } from '../domain/references/tools/web-fetch-tool.ts';
import { isCitationUri } from '../domain/search/citation.ts';
import { searchTool } from '../domain/search/search-tool.ts';
import type { Tool } from '../domain/tools/tool.ts';

export interface BuiltinsInput {
  readonly knowledge: KnowledgeBase;
  /** What preloading left of the topics. */
  readonly opened: readonly OpenTopic[];
  /** In whose name the assistant acts. */
  readonly actor: Actor;
  /** The model that speaks through it, where that is known. */
  readonly model?: string;
}

/** By name, in the order in which a model sees them. One that cannot be used at the moment is undefined. */
export function builtinTools(
  app: WorkspaceApp,
  { knowledge, opened, actor, model }: BuiltinsInput,
): Map<string, Tool | undefined> {
  return new Map([
    ['learn', learnTool(app, knowledge, opened)],
    ['search', searchToolOf(app)],
    ...byName(ledgerTools({ ...app, isCitationUri }, actor)),
    ...byName(referenceTools(app, { ...referenceSurroundings(app), ghost: actor.name, model })),
    ...byName([webFetchTool(app)]),
  ]);
}

/** The engine is loaded by the first question. */
function searchToolOf(app: WorkspaceApp): Tool {
  return searchTool({
    ids: app.ids,
    search: async (...asked) => (await import('./searched-indexes.ts')).searchApp(app, ...asked),
  });
}

function referenceSurroundings({
  config,
  workspace,
}: WorkspaceApp): Pick<ReferenceUser, 'workspace' | 'limits'> {
  const { max_files: maxFiles, max_bytes: maxBytes, max_file_bytes: maxFileBytes } = config.references;
  return { workspace: workspace.root, limits: { maxFiles, maxBytes, maxFileBytes } };
}

function byName(tools: readonly Tool[]): [string, Tool][] {
  return tools.map((tool) => [tool.name, tool]);
}
