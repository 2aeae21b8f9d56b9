/** Opens what a `ken://` address names as text for a client: the same for the tool `show` and for MCP resources. */

import { aboutDataFences, dataFence, FENCE_BYTES } from '../../../base/data-fence.ts';
import type { IdSource } from '../../../base/ids.ts';
import { singleLine } from '../../../base/terminal-text.ts';
import { type LineRange, utf8Length } from '../../../base/text.ts';
import { learnFrom } from '../../knowledge-base/learn/learn-from.ts';
import type { SubjectRanker } from '../../knowledge-base/subject-ranker.ts';
import type { KnowledgeBase } from '../../knowledge-base/topic.ts';
import { type AgingPorts, requireTopic } from '../../references/topic/find-topic.ts';
import { addressOf } from '../../references/topic/topic.ts';
import { type Citation, formatCitation, requireCitation } from './citation.ts';
import { type CitationPorts, showCitation } from './show-citation.ts';

export interface OpenPorts extends CitationPorts, AgingPorts {
  readonly ids: IdSource;
  readonly subjectRanker: SubjectRanker;
}

export interface OpenRequest {
  readonly uri: string;
  /** Replaces the lines of the address. */
  readonly lines?: LineRange | undefined;
  /** A longer text is cut at a line and names the address of the rest. */
  readonly limitBytes: number;
}

export interface OpenedText {
  readonly text: string;
  readonly mimeType: string;
}

/** A Fault for a text that is no address, or when nothing is there. */
export async function openUri(
  ports: OpenPorts,
  knowledge: KnowledgeBase,
  { uri, lines, limitBytes }: OpenRequest,
): Promise<OpenedText> {
  const [, part, name = ''] = /^ken:\/\/(kb|ref)\/([^/#@]+)\/?$/.exec(uri) ?? [];
  if (part === 'kb') {
    const { text } = await learnFrom(ports, knowledge, { topic: decoded(name), patterns: [] });
    return { text, mimeType: MARKDOWN };
  }
  if (part === 'ref') return { text: await referenceTopic(ports, decoded(name)), mimeType: MARKDOWN };
  const cited = requireCitation(uri);
  const citation = lines === undefined || cited.kind === 'turn' ? cited : { ...cited, lines };
  return openCited(ports, knowledge, citation, limitBytes);
}

const MARKDOWN = 'text/markdown';

/** Description (as data, since it may quote a page) and sources of a reference topic. */
async function referenceTopic(ports: OpenPorts, name: string): Promise<string> {
  const { topic } = await requireTopic(ports, name);
  const sources = topic.sources.map((source) => `- ${singleLine(addressOf(source))}`);
  const body = topic.body.trim() === '' ? '' : asData(ports, topic.body.trim());
  return [`# ${singleLine(topic.title)}`, body, 'Sources:', sources.join('\n')].filter(Boolean).join('\n\n');
}

/** An invalid percent escape stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

async function openCited(
  ports: OpenPorts,
  knowledge: KnowledgeBase,
  citation: Citation,
  limitBytes: number,
): Promise<OpenedText> {
  const { text, isChanged, change, path, lines } = await showCitation(ports, knowledge, citation);
  const how = change === undefined ? '' : `: ${change}`;
  const note = isChanged ? `\n(the content has changed since this was cited${how})` : '';
  const mimeType = mimeTypeOf(citation, path);
  if (text === '' && isChanged && citation.lines)
    return {
      text: `(there are no lines ${citation.lines.first} to ${citation.lines.last} any more)`,
      mimeType,
    };
  const { shown, rest } = fitting(text, { ...citation, ...(lines && { lines }) }, limitBytes);
  // Only the knowledge base is the operator's own text; the rest comes from files, models and the net.
  const body = citation.kind === 'subject' ? shown : asData(ports, shown);
  return { text: `${body}${rest}${note}`, mimeType };
}

function asData({ ids }: Pick<OpenPorts, 'ids'>, text: string): string {
  const id = ids.token(FENCE_BYTES);
  return `${aboutDataFences(id)}\n\n${dataFence(id, text)}`;
}

export function mimeTypeOf({ kind }: Pick<Citation, 'kind'>, path = ''): string {
  if (kind === 'turn') return MARKDOWN;
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const known = MIME_TYPES[extension];
  if (known !== undefined) return known;
  return kind === 'subject' && extension === '' ? MARKDOWN : 'text/plain';
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  md: MARKDOWN,
  markdown: MARKDOWN,
  json: 'application/json',
  toml: 'application/toml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** Keeps whole lines from the start; `rest` is a line that names the address of the others. */
function fitting(
  text: string,
  citation: Citation,
  limitBytes: number,
): { readonly shown: string; readonly rest: string } {
  if (utf8Length(text) <= limitBytes) return { shown: text, rest: '' };
  const lines = text.split('\n');
  let room = limitBytes;
  const count = lines.findIndex((line) => {
    room -= utf8Length(line) + 1;
    return room < 0;
  });
  if (citation.kind === 'turn' || count === 0) {
    const start = text.slice(0, limitBytes / 4).toWellFormed();
    return {
      shown: start,
      rest: `\n(cut: the first ${start.length} of ${text.length} characters are shown; the operator reads all with "ken show ${formatCitation(citation)}")`,
    };
  }
  const first = citation.lines?.first ?? 1;
  // The digest covers all lines, so it is left out.
  const { sha256: _, ...place } = citation;
  const uri = formatCitation({ ...place, lines: { first: first + count, last: first + lines.length - 1 } });
  return {
    shown: lines.slice(0, count).join('\n'),
    rest: `\n(cut: ${count} of ${lines.length} lines are shown; read on at ${uri})`,
  };
}
