import { aboutDataFences, dataFence, FENCE_BYTES } from '../../base/data-fence.ts';
import { asNumber, asText, asTexts, type JsonObject } from '../../base/json.ts';
import { neutralise } from '../../base/terminal-text.ts';
import { toApprovalError } from '../approvals/approval-text.ts';
import { type ApprovalPorts, seekApproval } from '../approvals/seek-approval.ts';
import { failure, success, type Tool, type ToolMaker, type ToolResult } from '../tools/tool.ts';
import { type ToolShape, type UnattendedTool, unattendedTool } from '../tools/unattended-tool.ts';
import type { Actor, AddPorts } from './add-entry.ts';
import { isProcedural } from './entry/entry.ts';
import { entryJson } from './entry/entry-json.ts';
import { formatEpoch } from './entry/timestamp.ts';
import { type Standing, standings } from './search/current-entries.ts';
import { type FoundEntry, type SearchPorts, searchEntries } from './search/search-entries.ts';

export type LedgerToolPorts = AddPorts & SearchPorts & ApprovalPorts;

/** Describing the tools loads little; what a tool does is loaded when it is called. */
export function ledgerTools(ports: LedgerToolPorts, actor: Actor): readonly ToolMaker[] {
  return [
    tool('knowledge_search', 'read', SEARCH, async (given) => search(ports, given)),
    tool('knowledge_add', 'write', ADD, async (given) => add(ports, actor, given)),
    tool('knowledge_feedback', 'write', FEEDBACK, async (given) => feedback(ports, actor, given)),
    tool('knowledge_promote', 'write', PROMOTE, (given, signal, { recordDecision }) =>
      promote({ ...ports, recordDecision }, actor, given, signal),
    ),
  ];
}

function tool(name: string, reach: Tool['reach'], shape: ToolShape, call: UnattendedTool['call']): ToolMaker {
  const shown = (given: JsonObject) => `${name} ${JSON.stringify(given)}`;
  return [name, () => unattendedTool({ name, reach, shape, faults: ['ledger', 'labels'], shown, call })];
}

const text = (description: string) => ({ type: 'string', description });
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

const SEARCH: ToolShape = {
  description:
    'Search the facts kept in this workspace. Each comes with where it is from and whether that was checked.',
  properties: {
    query: text('Words to look for.'),
    as_of: text('Only what was known then: epoch seconds with a Z, or ISO-8601.'),
    limit: { type: 'integer', minimum: 1, maximum: 50, description: 'At most so many; 10 if absent.' },
  },
  required: ['query'],
  output: {
    entries: {
      type: 'array',
      description: 'Best first.',
      items: {
        type: 'object',
        properties: {
          id: text('Its id.'),
          title: text('Short and specific.'),
          content: text('The fact.'),
          updated_at: text('Epoch seconds with a Z.'),
          status: text('active, superseded, deprecated or stale.'),
          standing: text('procedural for a rule that the operator approved.'),
          score: { type: 'number' },
        },
        required: ['id', 'title', 'content'],
      },
    },
  },
};
const ADD: ToolShape = {
  description:
    'Keep a fact for later, with where it comes from. The same merge_key replaces what was known, and keeps its history.',
  properties: {
    title: text('Short and specific.'),
    text: text('The fact.'),
    provenance: texts('Sources: file:PATH#L3-L9, url:…, cmd:…, commit:…, event:… or ref:ken://….'),
    merge_key: text('Names what the fact is about, so that a newer one replaces it.'),
    on_conflict: { type: 'string', enum: ['merge', 'supersede', 'reject'], description: 'merge if absent.' },
    ttl_policy: {
      type: 'string',
      enum: ['ephemeral', 'decay', 'persistent'],
      description: 'persistent if absent.',
    },
    tags: texts('Words to find it by.'),
  },
  required: ['title', 'text', 'provenance'],
  output: {
    id: text('The entry that now holds the text.'),
    action: text('inserted, merged or superseded.'),
    superseded_ids: texts('What it replaced.'),
  },
};
const FEEDBACK: ToolShape = {
  description: 'Say whether what a search returned helped. Later searches listen.',
  properties: {
    query: text('What was searched for.'),
    returned_ids: texts('What came back.'),
    used_ids: texts('What was used of it.'),
    outcome: {
      type: 'string',
      enum: ['helped', 'neutral', 'hurt', 'unknown'],
      description: 'What came of it.',
    },
  },
  required: ['query', 'returned_ids', 'used_ids', 'outcome'],
  output: { event_id: text('Of the ledger event that keeps it.') },
};
const PROMOTE: ToolShape = {
  description: 'Propose that a fact becomes a rule. A person decides on its exact text.',
  properties: {
    source_entry_id: text('The entry.'),
    evidence_refs: texts('What speaks for it.'),
    reason: text('Why it should be a rule.'),
    as: text('Its id as a rule: procedural/….'),
  },
  required: ['source_entry_id', 'evidence_refs', 'reason', 'as'],
  output: {
    event_id: text('Of the ledger event that keeps it.'),
    source_entry_id: text('What was promoted.'),
    target_id: { type: ['string', 'null'], description: 'The rule it became.' },
    approval_id: text('What waits for a person to decide.'),
  },
};

async function search(ports: LedgerToolPorts, given: JsonObject): Promise<ToolResult> {
  const limit = asNumber(given.limit) ?? 10;
  const found = await searchEntries(ports, {
    query: asText(given.query) ?? '',
    asOf: asText(given.as_of),
    limit,
  });
  const standing = await standings(
    ports,
    found.map(({ entry }) => entry),
  );
  return {
    outcome: success(foundText(found, standing, ports.ids.token(FENCE_BYTES))),
    data: {
      entries: found.map(({ entry, score }, at) => ({
        ...entryJson(entry),
        standing: standing[at] ?? 'entry',
        score,
      })),
    },
  };
}

/** Entries are in a fence with an unguessable id, so that no text can end its own fence. */
function foundText(found: readonly FoundEntry[], standing: readonly Standing[], fence: string): string {
  if (found.length === 0) return 'Nothing is known about this.';
  const told = found.map((each, at) => entryText(each, standing[at], fence));
  return [aboutDataFences(fence), ...told].join('\n\n');
}

/** An id alone proves nothing: each procedural entry says whether it is approved. Only approved text is unfenced. */
function entryText({ entry }: FoundEntry, standing: Standing | undefined, fence: string): string {
  const cited = entry.citations.map(({ provenance, verified }) =>
    verified ? `${provenance} (${verified.verdict} at ${formatEpoch(verified.at)})` : provenance,
  );
  const isRule = standing === 'procedural';
  const rule = isRule ? ', a rule that the operator approved' : ', not an approved rule';
  const head = `${formatEpoch(entry.updatedAt)}${isProcedural(entry.id) ? rule : ''}`;
  const source = `Source: ${cited.join(', ')}`;
  const said = isRule ? [entry.title, source] : [entry.title, entry.text, source];
  const parts = [
    `[${entry.id}] (${head})`,
    ...(isRule ? [neutralise(entry.text)] : []),
    dataFence(fence, said.join('\n')),
  ];
  return parts.join('\n');
}

async function add(ports: LedgerToolPorts, actor: Actor, given: JsonObject): Promise<ToolResult> {
  const { addEntry } = await import('./add-entry.ts');
  const { id, action, supersededIds, unfound } = await addEntry(ports, {
    title: asText(given.title) ?? '',
    text: asText(given.text) ?? '',
    provenance: asTexts(given.provenance) ?? [],
    mergeKey: asText(given.merge_key),
    onConflict: asText(given.on_conflict),
    ttlPolicy: asText(given.ttl_policy),
    tags: asTexts(given.tags) ?? [],
    actor,
  });
  const lines = [`${action} ${id}`, ...unfound.map((source) => `Nothing is at ${source} now.`)];
  return { outcome: success(lines.join('\n')), data: { id, action, superseded_ids: supersededIds } };
}

async function feedback(ports: LedgerToolPorts, actor: Actor, given: JsonObject): Promise<ToolResult> {
  const { recordRetrieval } = await import('./search/record-retrieval.ts');
  const { eventId } = await recordRetrieval(ports, {
    query: asText(given.query) ?? '',
    returnedIds: asTexts(given.returned_ids) ?? [],
    usedIds: asTexts(given.used_ids) ?? [],
    outcome: asText(given.outcome) ?? '',
    actor,
  });
  return { outcome: success('Recorded.'), data: { event_id: eventId } };
}

async function promote(
  ports: LedgerToolPorts,
  actor: Actor,
  given: JsonObject,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { promoteAsApproved, proposal } = await import('./promotion/promote-entry.ts');
  const request = await proposal(ports, {
    sourceId: asText(given.source_entry_id) ?? '',
    evidence: asTexts(given.evidence_refs) ?? [],
    reason: asText(given.reason) ?? '',
    as: asText(given.as),
    actor,
    workspace: ports.workspace.root,
  });
  const { kind, approval } = await seekApproval(ports, request, signal);
  if (kind === 'pending')
    return { outcome: failure(toApprovalError(request.reason)), data: { approval_id: approval.id } };
  if (kind === 'denied')
    return { outcome: failure('The operator said no. Propose something smaller, or leave it.') };
  const { message, data } = await promoteAsApproved(ports, approval);
  return { outcome: success(message), data };
}
