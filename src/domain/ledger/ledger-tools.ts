import { aboutDataFences, dataFence, FENCE_BYTES, neutralJson } from '../../base/data-fence.ts';
import { asNumber, asText, asTexts, type JsonObject, withoutNulls } from '../../base/json.ts';
import { neutralise } from '../../base/terminal-text.ts';
import { utf8Length } from '../../base/text.ts';
import { toApprovalError } from '../approvals/approval-text.ts';
import { type ApprovalPorts, seekApproval } from '../approvals/seek-approval.ts';
import { failure, success, type Tool, type ToolMaker, type ToolResult } from '../tools/tool.ts';
import { type ToolShape, type UnattendedTool, unattendedTool } from '../tools/unattended-tool.ts';
import type { Actor, AddPorts } from './add-entry.ts';
import { isProcedural } from './entry/entry.ts';
import { entryJson } from './entry/entry-json.ts';
import { toldBy } from './entry/provenance.ts';
import { formatEpoch } from './entry/timestamp.ts';
import { type Standing, standings } from './search/current-entries.ts';
import type { FoundEntry, SearchPorts } from './search/search-entries.ts';
import type { LedgerStore } from './store.ts';

export type LedgerToolPorts = AddPorts &
  SearchPorts &
  ApprovalPorts & {
    readonly workspace: { readonly root: string };
    /** With a team: entries that only the caller's person sees. */
    readonly entriesBeside?: { readonly own: LedgerStore };
  };

/** Describing the tools loads little; what a tool does is loaded when it is called. */
export function ledgerTools(ports: LedgerToolPorts, actor: Actor): readonly ToolMaker[] {
  return [
    tool('knowledge_search', 'read', SEARCH, async (given) => search(ports, given)),
    tool('knowledge_add', 'write', ports.entriesBeside ? ADD_WITH_VISIBILITY : ADD, async (given) =>
      add(ports, actor, given),
    ),
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
    'Find facts and decisions that were kept in this workspace: who decided what, which port, which limit. Each comes ' +
    'with its source and whether that was checked.',
  properties: {
    question: text('A question, or words to look for.'),
    as_of: text('Only what was known then: epoch seconds with a Z, or ISO-8601.'),
    limit: { type: 'integer', minimum: 1, maximum: 50, description: 'At most so many; 10 if absent.' },
    details: { type: 'boolean', description: 'Also digests, dates and feedback; false if absent.' },
  },
  required: ['question'],
  aliases: { query: 'question' },
  output: {
    text: text('What the fences mean, or that nothing is known.'),
    entries: {
      type: 'array',
      description: 'Best first.',
      items: {
        type: 'object',
        properties: {
          id: text('Its id.'),
          standing: text('procedural for a rule that the operator approved.'),
          rule: text('The text of a rule that the operator approved.'),
          text: text('Title, fact and source, in a fence.'),
          details: { type: 'object', description: 'Only if asked for.' },
        },
        required: ['id', 'standing', 'text'],
      },
    },
  },
  always: ['text', 'entries'],
};
const ADD: ToolShape = {
  description:
    'Keep a fact or decision for later, with its source. The same merge_key replaces the earlier one and keeps its history.',
  properties: {
    title: text('Short and specific.'),
    text: text('The fact, at most 64 KiB.'),
    provenance: texts(
      'Where it comes from, one source or more: file:PATH#L3-L9, url:https://…, cmd:COMMAND, commit:HASH, ref:ken://…, person:NAME for what ' +
        'somebody said, or meeting:TITLE@2026-11-15.',
    ),
    merge_key: text('Names what the fact is about, so that a newer one replaces it.'),
    on_conflict: {
      type: 'string',
      enum: ['merge', 'supersede', 'reject'],
      description:
        'What to do with an entry of the same merge_key: merge makes this its next version, supersede puts a new entry in ' +
        'its place, reject keeps it. merge if absent.',
    },
    ttl_policy: {
      type: 'string',
      enum: ['ephemeral', 'decay', 'persistent'],
      description:
        'How long it holds: persistent until it is replaced, decay about a month, ephemeral about a week. persistent if absent.',
    },
    tags: texts('Words to find it by.'),
  },
  required: ['title', 'text', 'provenance'],
  long: ['text'],
  output: {
    text: text('What was done, and sources at which nothing is.'),
    id: text('The entry that now holds the text.'),
    action: text('inserted, merged or superseded.'),
    superseded_ids: texts('What it replaced.'),
  },
};
const ADD_WITH_VISIBILITY: ToolShape = {
  ...ADD,
  properties: {
    ...ADD.properties,
    visibility: {
      type: 'string',
      enum: ['me', 'workspace'],
      description: 'Who sees it: me for this person alone; workspace if absent.',
    },
  },
};
const FEEDBACK: ToolShape = {
  description: 'Say whether the answers of a search helped; later searches rank by it.',
  properties: {
    question: text('What was searched for.'),
    returned_ids: texts('Every address (ken://…) or entry id that the search returned.'),
    used_ids: texts('Those of them that were used.'),
    outcome: {
      type: 'string',
      enum: ['helped', 'neutral', 'hurt', 'unknown'],
      description: 'Whether they helped with the work.',
    },
  },
  required: ['question', 'returned_ids', 'used_ids', 'outcome'],
  aliases: { query: 'question' },
  output: { text: text('What was recorded.'), event_id: text('Id of the ledger event that keeps it.') },
};
const PROMOTE: ToolShape = {
  description: 'Propose that a kept fact becomes a rule. A person approves its exact text.',
  properties: {
    source_entry_id: text('Id or ken:// address of the entry that holds the text.'),
    evidence_refs: {
      ...texts('What shows that the rule is right: commit:…, url:…, file:… or ken:// addresses.'),
      minItems: 1,
    },
    reason: text('Why it should be a rule.'),
    as: text('Its id as a rule: procedural/….'),
  },
  required: ['source_entry_id', 'evidence_refs', 'reason', 'as'],
  output: {
    text: text('What came of it; what to tell the operator while it waits.'),
    event_id: text('Id of the ledger event that keeps it.'),
    source_entry_id: text('What was promoted.'),
    target_id: text('The rule it became.'),
    approval_id: text('What waits for a person to decide.'),
  },
};

async function search(ports: LedgerToolPorts, given: JsonObject): Promise<ToolResult> {
  const limit = asNumber(given.limit) ?? 10;
  const { searchEntries } = await import('./search/search-entries.ts');
  const found = await searchEntries(ports, {
    query: asText(given.question) ?? '',
    asOf: asText(given.as_of),
    limit,
  });
  const standing = await standings(
    ports,
    found.map(({ entry }) => entry),
  );
  const fence = ports.ids.token(FENCE_BYTES);
  const lead = found.length === 0 ? 'Nothing is known about this.' : aboutDataFences(fence);
  const told = found.map((each, at) => entryText(each, standing[at], fence));
  const entries = found.map((each, at) => ({
    ...leanEntry(each, standing[at], fence),
    ...(given.details === true && { details: detailsOf(each) }),
  }));
  return { outcome: success([lead, ...told].join('\n\n')), data: { text: lead, entries } };
}

/** As the text has it: only a rule that the operator approved stands outside of a fence. */
function leanEntry({ entry }: FoundEntry, standing: Standing = 'entry', fence: string): JsonObject {
  const isRule = standing === 'procedural';
  return {
    id: entry.id,
    standing,
    ...(isRule && { rule: neutralise(entry.text) }),
    text: dataFence(fence, fencedLines(entry, isRule).join('\n')),
  };
}

/** Without the texts, which stand in fences. */
function detailsOf({ entry, score }: FoundEntry): JsonObject {
  const { title: _, content: __, ...kept } = entryJson(entry);
  return withoutNulls(neutralJson({ ...kept, score }));
}

function fencedLines(entry: FoundEntry['entry'], isRule: boolean): string[] {
  const cited = entry.citations.map(({ provenance, verified }) =>
    verified ? `${provenance} (${verified.verdict} at ${formatEpoch(verified.at)})` : provenance,
  );
  const source = `Source: ${cited.join(', ')}`;
  return isRule ? [entry.title, source] : [entry.title, entry.text, source];
}

/** An id alone proves nothing: each procedural entry says whether it is approved. Only approved text is unfenced. */
function entryText({ entry }: FoundEntry, standing: Standing | undefined, fence: string): string {
  const isRule = standing === 'procedural';
  const rule = isRule ? ', a rule that the operator approved' : ', not an approved rule';
  const head = `${formatEpoch(entry.updatedAt)}${isProcedural(entry.id) ? rule : ''}`;
  const parts = [
    `[${entry.id}] (${head})`,
    ...(isRule ? [neutralise(entry.text)] : []),
    dataFence(fence, fencedLines(entry, isRule).join('\n')),
  ];
  return parts.join('\n');
}

async function add(ports: LedgerToolPorts, actor: Actor, given: JsonObject): Promise<ToolResult> {
  if (utf8Length(asText(given.text) ?? '') > MAX_FACT_BYTES)
    return { outcome: failure('A fact has at most 64 KiB. Keep the important part, and cite the rest.') };
  const { addEntry } = await import('./add-entry.ts');
  const own = given.visibility === 'me' ? ports.entriesBeside?.own : undefined;
  const { id, action, supersededIds, unfound } = await addEntry(
    { ...ports, ledger: own ?? ports.ledger },
    {
      title: asText(given.title) ?? '',
      text: asText(given.text) ?? '',
      provenance: (asTexts(given.provenance) ?? []).map((source) => toldBy(source, actor.name)),
      mergeKey: asText(given.merge_key),
      onConflict: asText(given.on_conflict),
      ttlPolicy: asText(given.ttl_policy),
      tags: asTexts(given.tags) ?? [],
      actor,
    },
  );
  const said = [`${action} ${id}`, ...unfound.map((source) => `Nothing is at ${source} now.`)].join('\n');
  const replaced = supersededIds.length > 0 && { superseded_ids: supersededIds };
  return { outcome: success(said), data: { text: said, id, action, ...replaced } };
}

const MAX_FACT_BYTES = 64 * 1024;

async function feedback(ports: LedgerToolPorts, actor: Actor, given: JsonObject): Promise<ToolResult> {
  const { recordRetrieval } = await import('./search/record-retrieval.ts');
  const returned = entriesAmong(asTexts(given.returned_ids) ?? []);
  const used = entriesAmong(asTexts(given.used_ids) ?? []);
  const { eventId } = await recordRetrieval(ports, {
    query: asText(given.question) ?? '',
    returnedIds: returned.ids,
    usedIds: used.ids,
    outcome: asText(given.outcome) ?? '',
    actor,
  });
  const others = new Set([...returned.others, ...used.others]).size;
  const said =
    others === 0
      ? 'Recorded.'
      : `Recorded. Only facts keep a score; ${others === 1 ? '1 hit is' : `${others} hits are`} of another kind.`;
  return { outcome: success(said), data: { text: said, event_id: eventId } };
}

/** A search returns addresses of entries (`ken://entry/ID@v2`) among those of subjects, files and conversations. */
function entriesAmong(given: readonly string[]): { readonly ids: string[]; readonly others: string[] } {
  const isOther = (each: string) => /^ken:\/\/(?!entry\/)/.test(each);
  return { ids: given.filter((each) => !isOther(each)).map(idOf), others: given.filter(isOther) };
}

function idOf(given: string): string {
  const [, id] = /^ken:\/\/entry\/([^@#?]+)/.exec(given) ?? [];
  return id === undefined ? given : decodeURIComponent(id);
}

async function promote(
  ports: LedgerToolPorts,
  actor: Actor,
  given: JsonObject,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { promoteAsApproved, proposal } = await import('./promotion/promote-entry.ts');
  const request = await proposal(ports, {
    sourceId: idOf(asText(given.source_entry_id) ?? ''),
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
  return { outcome: success(message), data: withoutNulls({ text: message, ...data }) };
}
