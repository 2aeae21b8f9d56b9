/** ken's own tools, the same in a turn, over MCP and in the library. */

import { type LearnPorts, learnTool } from '../../knowledge-base/learn/learn-tool.ts';
import type { OpenTopic } from '../../knowledge-base/open-topics.ts';
import { type ProposePorts, proposeTool } from '../../knowledge-base/propose-subject.ts';
import type { KnowledgeBase } from '../../knowledge-base/topic.ts';
import type { Actor } from '../../ledger/add-entry.ts';
import { type LedgerToolPorts, ledgerTools } from '../../ledger/ledger-tools.ts';
import {
  fetchLimits,
  type ReferenceLimits,
  type ReferenceToolPorts,
  referenceTools,
} from '../../references/tools/reference-tools.ts';
import { type WebFetchPorts, webFetchTool } from '../../references/tools/web-fetch-tool.ts';
import { isCitationUri } from '../../search/citations/citation.ts';
import { type ShowToolPorts, showTool } from '../../search/citations/show-tool.ts';
import { type SearchToolPorts, searchTool } from '../../search/engine/search-tool.ts';
import { type Builtins, configuredBuiltins } from '../../tools/configured-tools.ts';
import type { ToolMaker } from '../../tools/tool.ts';
import { type ToolEntry, type ToolSettings, toolSettings } from '../../tools/tool-settings.ts';
import { approvedRules } from '../rules-section.ts';

export type BuiltinPorts = LearnPorts &
  Omit<LedgerToolPorts, 'isCitationUri'> &
  ReferenceToolPorts &
  WebFetchPorts &
  ProposePorts &
  ShowToolPorts & {
    readonly search: SearchToolPorts['search'];
    readonly workspace: { readonly root: string };
    readonly config: {
      readonly references: ReferenceLimits;
      readonly conversation: { readonly tools: Readonly<Record<string, ToolEntry>> };
    };
  };

export interface BuiltinsInput {
  readonly knowledge: KnowledgeBase;
  /** Topics after preloading. */
  readonly opened: readonly OpenTopic[];
  /** Name in which the assistant acts. */
  readonly actor: Actor;
  readonly model?: string | undefined;
  /** Those of the configuration, if absent. */
  readonly settings?: readonly ToolSettings[];
}

/** By name, in the order in which a model sees them. Every way in gets them from here, as they are configured. */
export function builtinTools(ports: BuiltinPorts, input: BuiltinsInput): Builtins {
  const { knowledge, opened, actor, model } = input;
  const { config, workspace } = ports;
  const limits = fetchLimits(config.references);
  const makers: readonly ToolMaker[] = [
    ['learn', () => learnTool({ ...ports, approvedRules: () => approvedRules(ports) }, knowledge, opened)],
    ['search', () => searchTool(ports)],
    ['show', () => showTool(ports, knowledge)],
    ['kb_propose', () => proposeTool(ports, knowledge, actor.name)],
    ...ledgerTools({ ...ports, isCitationUri }, actor),
    ...referenceTools(ports, { workspace: workspace.root, limits, ghost: actor.name, model }),
    ['web_fetch', () => webFetchTool(ports)],
  ];
  return configuredBuiltins(makers, input.settings ?? toolSettings(config.conversation.tools));
}
