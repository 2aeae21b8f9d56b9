import type { JsonObject } from '../../../base/json.ts';
import type { Catalog, Subject } from '../catalog.ts';
import { parseFrontMatter, titleIn } from '../front-matter.ts';
import { inertLine, shortQuote } from '../inert-text.ts';
import type { OpenTopic } from '../open-topics.ts';
import { invalidPattern, matchPattern } from '../patterns.ts';
import type { SubjectFiles } from '../subject-files.ts';
import type { SubjectRanker } from '../subject-ranker.ts';
import { readSubjectText } from '../subject-text.ts';
import { topicHeading } from '../topic.ts';
import type { LearnAnswer } from './learn-answer.ts';
import { HOW_TO_LEARN } from './list-subjects.ts';

export interface SubjectSearch {
  readonly words: string;
  /** Narrow the search; empty means everything visible. */
  readonly patterns: readonly string[];
  readonly maxSubjectBytes: number;
}

const MAX_HITS = 10;
const MAX_SNIPPET_CHARACTERS = 500;

export async function searchSubjects(
  ranker: SubjectRanker,
  { topic, files, catalog }: OpenTopic,
  { words, patterns, maxSubjectBytes }: SubjectSearch,
): Promise<LearnAnswer> {
  const wanted = searched(catalog, patterns);
  if ('problem' in wanted) return { ok: false, reason: 'invalid-pattern', message: wanted.problem };
  const ranked = await ranker.rank({
    topicId: topic.id,
    words,
    candidates: wanted.subjects.map((subject) => ({
      slug: subject.slug,
      text: () => searchableText(files, subject, maxSubjectBytes),
    })),
    limit: MAX_HITS,
  });
  if (ranked.length === 0) return noHits(topic.id, words);
  const hits = ranked.flatMap(({ slug, snippet }) => {
    const subject = catalog.reachable.bySlug.get(slug);
    return subject ? [hit(files, subject, snippet)] : [];
  });
  const heading = `# Topic: ${inertLine(topicHeading(topic))}`;
  const text = [heading, `## Subjects about ${shortQuote(words)}:`, ...hits.map(hitLines), HOW_TO_LEARN];
  return { ok: true, text: text.join('\n\n'), data: { topic: topic.id, hits } };
}

function searched(
  catalog: Catalog,
  patterns: readonly string[],
): { readonly subjects: readonly Subject[] } | { readonly problem: string } {
  const visible = catalog.reachable.all.filter(({ hidden }) => !hidden);
  if (patterns.length === 0) return { subjects: visible };
  const matched = new Set<Subject>();
  for (const pattern of patterns) {
    const match = matchPattern(catalog.reachable, pattern, 'visible');
    if (match.kind === 'invalid') return { problem: invalidPattern(match) };
    for (const subject of match.subjects) matched.add(subject);
  }
  return { subjects: visible.filter((subject) => matched.has(subject)) };
}

function searchableText(files: SubjectFiles, subject: Subject, maxBytes: number): string | undefined {
  const read = readSubjectText(files, subject.path, maxBytes);
  return read.ok ? read.text : undefined;
}

interface Hit extends JsonObject {
  readonly slug: string;
  readonly title: string;
  readonly passage: string;
  readonly learned: boolean;
}

function hit(files: SubjectFiles, subject: Subject, snippet: string): Hit {
  const read = readSubjectText(files, subject.path, TITLE_BYTES);
  const title = read.ok ? titleLine(read.text) : '';
  const shown = [...inertLine(snippet)];
  const cut = shown.length > MAX_SNIPPET_CHARACTERS;
  return {
    slug: subject.slug,
    title: inertLine(title),
    passage: cut ? `${shown.slice(0, MAX_SNIPPET_CHARACTERS).join('')}…` : shown.join(''),
    learned: subject.state === 'learned',
  };
}

const TITLE_BYTES = 16_384;

/** The title, or the first line that is not blank. */
export function titleLine(text: string): string {
  const title = titleIn(text);
  if (title !== undefined) return title;
  const body = parseFrontMatter(text)?.body ?? text;
  const line = body.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '';
  return line.replace(/^\s*#+\s*/, '').trim();
}

function hitLines({ slug, title, passage, learned }: Hit): string {
  const name = title ? `- ${slug} (${title})` : `- ${slug}`;
  return `${name}${learned ? ' [already in the system prompt]' : ''}\n  ${passage}`;
}

function noHits(topicId: string, words: string): LearnAnswer {
  return {
    ok: false,
    reason: 'no-match',
    message: `No subject of topic "${topicId}" is about ${shortQuote(words)}.`,
    hint: 'Try other words, or list the subjects.',
  };
}
