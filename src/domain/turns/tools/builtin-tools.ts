/** The tools that ken brings itself, the same in a turn, over MCP and in the library. A new tool joins here. */

import { type LearnPorts, learnTool } from '../../knowledge-base/learn/learn-tool.ts';
import type { OpenTopic } from '../../knowledge-base/open-topics.ts';
import type { KnowledgeBase } from '../../knowledge-base/topic.ts';
import type { Actor } from '../../ledger/add-entry.ts';
import { type LedgerToolPorts, ledgerTools } from '../../ledger/ledger-tools.ts';
import {
  type ReferenceToolPorts,
  type ReferenceUser,
  referenceTools,
} from '../../references/tools/reference-tools.ts';
import { type WebFetchPorts, webFetchTool } from '../../references/tools/web-fetch-tool.ts';
import { isCitationUri } from '../../search/citations/citation.ts';
import { type SearchToolPorts, searchTool } from '../../search/engine/search-tool.ts';
import type { Tool } from '../../tools/tool.ts';

export type BuiltinPorts = LearnPorts &
  Omit<LedgerToolPorts, 'isCitationUri'> &
  ReferenceToolPorts &
  WebFetchPorts & {
    /** Searches everything that can be searched from here. */
    readonly search: SearchToolPorts['search'];
    readonly workspace: { readonly root: string };
    readonly config: { readonly references: ReferenceLimits };
  };

interface ReferenceLimits {
  readonly max_files: number;
  readonly max_bytes: number;
  readonly max_file_bytes: number;
}

export interface BuiltinsInput {
  readonly knowledge: KnowledgeBase;
  /** The topics, less what was preloaded. */
  readonly opened: readonly OpenTopic[];
  /** The name in which the assistant acts. */
  readonly actor: Actor;
  /** The model behind the assistant, where it is known. */
  readonly model?: string | undefined;
}

/** By name, in the order in which a model sees them. A tool that cannot be used at the moment is undefined. */
export function builtinTools(
  ports: BuiltinPorts,
  { knowledge, opened, actor, model }: BuiltinsInput,
): Map<string, Tool | undefined> {
  return new Map([
    ['learn', learnTool(ports, knowledge, opened)],
    ['search', searchTool(ports)],
    ...byName(ledgerTools({ ...ports, isCitationUri }, actor)),
    ...byName(referenceTools(ports, { ...referenceUser(ports), ghost: actor.name, model })),
    ...byName([webFetchTool(ports)]),
  ]);
}

function referenceUser({
  config,
  workspace,
}: Pick<BuiltinPorts, 'config' | 'workspace'>): Pick<ReferenceUser, 'workspace' | 'limits'> {
  const { max_files: maxFiles, max_bytes: maxBytes, max_file_bytes: maxFileBytes } = config.references;
  return { workspace: workspace.root, limits: { maxFiles, maxBytes, maxFileBytes } };
}

function byName(tools: readonly Tool[]): [string, Tool][] {
  return tools.map((tool) => [tool.name, tool]);
}
