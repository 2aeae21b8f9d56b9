import { Fault } from '../../../base/fault.ts';
import type { Hasher } from '../../../base/hasher.ts';
import { type LineRange, linesOf } from '../../../base/text.ts';
import { linesOfParts } from '../../chunks/chunk.ts';
import type { DocumentReader } from '../../chunks/document-text.ts';
import { isConversationId } from '../../conversations/conversation-id.ts';
import type { ConversationStore } from '../../conversations/store.ts';
import { transcript } from '../../conversations/transcript.ts';
import { openTopic, type TopicPorts } from '../../knowledge-base/open-topics.ts';
import { describeTextProblem, readSubjectText } from '../../knowledge-base/subject-text.ts';
import { fileOf, findTopic, type KnowledgeBase } from '../../knowledge-base/topic.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import { fileText } from '../../references/topic/file-text.ts';
import type { ReferenceLibrary } from '../../references/topic/library.ts';
import { versionOf } from '../../references/topic/lock.ts';
import { slugOfId } from '../../references/topic/topic.ts';
import type { StoredChunk } from '../index/index-item.ts';
import { type IndexStore, type ItemKey, NOTHING_KNOWN } from '../index/index-store.ts';
import { textChunks, turnChunks } from '../index/text-chunks.ts';
import { SUBJECTS } from '../sources/subject-source.ts';
import { type Citation, formatCitation } from './citation.ts';
import { type CitedText, type CurrentText, citedLines, comparedWith, OTHER_LINES } from './compared-with.ts';

export interface CitationPorts extends TopicPorts, ReferencePorts {
  readonly conversations?: ConversationStore;
  readonly ledger?: LedgerStore;
  readonly searchIndex: IndexStore;
}

export interface ReferencePorts {
  readonly library: ReferenceLibrary;
  readonly hasher: Hasher;
  readonly documents: DocumentReader;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** A Fault `search/gone` when the text no longer exists. */
export async function showCitation(
  ports: CitationPorts,
  knowledge: KnowledgeBase,
  citation: Citation,
): Promise<CitedText> {
  const standing = await currentText(ports, knowledge, citation);
  return citation.sha256 === undefined
    ? standing.cited
    : comparedWith(ports.hasher, standing, citation.sha256);
}

async function currentText(
  ports: CitationPorts,
  knowledge: KnowledgeBase,
  citation: Citation,
): Promise<CurrentText> {
  if (citation.kind === 'subject') return subjectText(ports, knowledge, citation);
  if (citation.kind === 'entry' && ports.ledger) {
    const cited = await entryText(ports.ledger, citation);
    if (!cited) throw gone(citation, 'The ledger has no such entry, or not that version of it.');
    return { cited };
  }
  if (citation.kind === 'turn' && ports.conversations) return turnText(ports.conversations, citation);
  if (citation.kind === 'reference') return referenceText(ports, citation);
  throw gone(citation, 'There is no workspace here.');
}

async function subjectText(
  ports: TopicPorts & Pick<CitationPorts, 'searchIndex'>,
  knowledge: KnowledgeBase,
  citation: Extract<Citation, { kind: 'subject' }>,
): Promise<CurrentText> {
  const topic = findTopic(knowledge.topics, citation.topic);
  if (!topic) throw gone(citation, `There is no topic "${citation.topic}".`);
  const { files, catalog } = await openTopic(ports, topic);
  const subject = catalog.reachable.bySlug.get(citation.slug);
  if (!subject) throw gone(citation, `The topic has no subject "${citation.slug}".`);
  const read = readSubjectText(files, subject.path, MAX_BYTES);
  if (!read.ok) throw gone(citation, `${subject.path}: ${describeTextProblem(read)}.`);
  const range = citedRange(read.text, citation);
  const cited = {
    ...citedLines(read.text, range),
    path: fileOf(topic, subject.path),
    ...(range && { lines: range }),
  };
  // A chunk lies within its page, section or cell.
  if (citation.parts) return { cited, chunks: textChunks(cited.text).map(({ body }) => body) };
  if (!range || cited.isChanged || citation.sha256 !== undefined) return { cited };
  const key = { source: SUBJECTS, id: `${topic.id}/${subject.slug}` };
  const isChanged = await wereOtherLines(ports.searchIndex, key, { lines: linesOf(read.text), range });
  return { cited: isChanged ? { ...cited, isChanged, change: OTHER_LINES } : cited };
}

/** Parts as the lines that they have in the text. */
function citedRange(text: string, citation: Citation): LineRange | undefined {
  const { lines, parts } = citation;
  if (lines || !parts) return lines;
  const range = linesOfParts(linesOf(text), parts);
  if (!range) throw gone(citation, `It has no such ${parts.unit}.`);
  return range;
}

/** The version comes from the lock; a file that differs from its lock was changed on this machine. */
async function referenceText(
  { library, hasher, documents }: ReferencePorts,
  citation: Extract<Citation, { kind: 'reference' }>,
): Promise<CurrentText> {
  const slug = slugOfId(citation.topicId) ?? '';
  const file = (await library.lock(slug)).files.find(({ path }) => path === citation.path);
  const content = file && (await library.readFile(slug, file.path));
  if (!file || !content) {
    const isThere = (await library.get(slug)) !== undefined;
    throw gone(
      citation,
      isThere ? 'The topic has no such file any more.' : 'There is no such reference topic.',
    );
  }
  const read = await fileText({ documents }, citation.path, content);
  if (!read.ok) throw gone(citation, `${citation.path}: ${read.problem}.`);
  const range = citedRange(read.text, citation);
  const fileSha256 = hasher.sha256(content);
  const cited = { ...citedLines(read.text, range), path: citation.path, ...(range && { lines: range }) };
  const changed = (change: string) => ({ cited: { ...cited, isChanged: true, change }, fileSha256 });
  if (fileSha256 !== file.sha256) return changed('the file was changed on this machine');
  if (!isVersion(citation.version, versionOf(file))) return changed(`it is from ${versionOf(file)} now`);
  return { cited, fileSha256 };
}

const SHORTEST_COMMIT = 7;

/** A commit may be shortened, as git prints it. */
function isVersion(cited: string, current: string): boolean {
  return cited === current || (cited.length >= SHORTEST_COMMIT && current.startsWith(cited.toLowerCase()));
}

/** Undefined when there never was such an entry or version. */
async function entryText(
  ledger: Pick<LedgerStore, 'versions'>,
  { id, version: wanted, lines }: Extract<Citation, { kind: 'entry' }>,
): Promise<CitedText | undefined> {
  const versions = await ledger.versions(id);
  const latest = versions.at(-1);
  const cited = wanted === undefined ? latest : versions.find(({ version }) => version === wanted);
  if (!cited || !latest) return undefined;
  const text = citedLines(cited.text, lines);
  if (latest.title !== cited.title || latest.text !== cited.text)
    return { ...text, isChanged: true, change: `version ${latest.version} says something else` };
  if (latest.status !== 'active') return { ...text, isChanged: true, change: `it is ${latest.status} now` };
  return text;
}

async function turnText(
  conversations: ConversationStore,
  citation: Extract<Citation, { kind: 'turn' }>,
): Promise<CurrentText> {
  const { conversation: id, turn } = citation;
  const log = isConversationId(id) ? await conversations.log(id) : undefined;
  if (!log || !isConversationId(id)) throw gone(citation, `There is no conversation "${id}".`);
  let current = 0;
  const events = log.events.filter((event) => {
    if (event.type === 'turn_start') current = event.turn;
    return turn === undefined || current === turn;
  });
  if (turn !== undefined && events.length === 0)
    throw gone(citation, `The conversation has no turn ${turn}.`);
  const title = (await conversations.get(id))?.metadata.title;
  const text = transcript(events, { title, tools: true, reasoning: false });
  return { cited: { text, isChanged: false }, chunks: turnChunks(events).map(({ body }) => body) };
}

function gone(citation: Citation, hint: string): Fault {
  return new Fault('search/gone', `There is nothing at ${formatCitation(citation)}.`, { hint });
}

/** Whether a line of the range differed when the item was indexed; false where the index does not know. */
async function wereOtherLines(
  store: IndexStore,
  key: ItemKey,
  { lines, range }: { readonly lines: readonly string[]; readonly range: LineRange },
): Promise<boolean> {
  const chunks = await chunksOf(store, key);
  return chunks.some((chunk) => lines.length === 0 || differs(chunk, lines, range));
}

async function chunksOf(store: IndexStore, key: ItemKey): Promise<readonly StoredChunk[]> {
  try {
    const { chosen = new Int32Array() } = await store.snapshot({
      known: NOTHING_KNOWN,
      terms: [],
      filter: { ids: [key] },
    });
    const [first = 0, count = 0] = chosen;
    return await store.chunks(Array.from({ length: count }, (_, at) => first + at));
  } catch (error) {
    // An index that cannot be read has no chunks.
    if (error instanceof Fault) return [];
    throw error;
  }
}

function differs(
  { body, firstLine, lastLine }: StoredChunk,
  lines: readonly string[],
  range: LineRange,
): boolean {
  const seen = linesOf(body);
  return seen.some((text, at) => {
    const number = firstLine + at;
    if (number < range.first || number > range.last) return false;
    const now = lines[number - 1];
    // The first and the last line of a chunk may be partial.
    const isEdge = number === firstLine || number === lastLine;
    return now === undefined || (isEdge ? !now.includes(text) : now !== text);
  });
}
