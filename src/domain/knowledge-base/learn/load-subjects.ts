import type { JsonObject } from '../../../base/json.ts';
import { didYouMean } from '../../../base/similar.ts';
import { type Catalog, isListed, type Subject } from '../catalog.ts';
import { shortQuote } from '../inert-text.ts';
import { invalidPattern, matchPattern, type PatternMatch } from '../patterns.ts';
import type { SubjectFiles } from '../subject-files.ts';
import {
  describeTextProblem,
  type ReadableText,
  rawSubject,
  readSubjectText,
  type SubjectText,
  taggedSubject,
} from '../subject-text.ts';
import type { LearnAnswer } from './learn-answer.ts';

export interface LoadRequest {
  readonly topicId: string;
  readonly patterns: readonly string[];
  readonly maxSubjectBytes: number;
}

/** A single subject named by its slug comes raw; several, or any glob, come in a tag each. */
export function loadSubjects(files: SubjectFiles, catalog: Catalog, request: LoadRequest): LearnAnswer {
  const selection = select(catalog, request.patterns);
  if ('problem' in selection) return { ok: false, reason: 'invalid-pattern', message: selection.problem };
  const { subjects, unmatched } = selection;
  if (subjects.length === 0 && unmatched.length === selection.patternCount) {
    return nothingMatches(catalog, request.topicId, unmatched);
  }
  const loaded = subjects.map((subject) => load(files, subject, request.maxSubjectBytes));
  const failed = loaded.filter(({ read }) => read?.ok === false);
  if (loaded.length > 0 && failed.length === loaded.length) {
    return { ok: false, reason: 'nothing-readable', message: failed.map(failureSentence).join(' ') };
  }
  const [only] = loaded;
  if (selection.isOneExact && only?.read?.ok) return oneSubject(request.topicId, only.subject, only.read);
  return {
    ok: true,
    text: selection.isOneExact ? loaded.map(insteadOfText).join('') : taggedText(loaded, selection),
    get data() {
      return { topic: request.topicId, subjects: loaded.map(asData), unmatched };
    },
  };
}

interface Selection {
  readonly subjects: readonly Subject[];
  readonly unmatched: readonly string[];
  /** Globs that match only subjects in the system prompt. */
  readonly exhausted: readonly string[];
  readonly patternCount: number;
  readonly isOneExact: boolean;
}

/** In the order of their first occurrence. Globs skip what is already in the system prompt. */
function select(catalog: Catalog, given: readonly string[]): Selection | { readonly problem: string } {
  const patterns = [...new Set(given)];
  const subjects = new Set<Subject>();
  const unmatched: string[] = [];
  const exhausted: string[] = [];
  let isExact = true;
  for (const pattern of patterns) {
    const match = matchPattern(catalog.reachable, pattern, 'visible');
    if (match.kind === 'invalid') return { problem: invalidPattern(match) };
    const fresh = loadable(match);
    for (const subject of fresh) subjects.add(subject);
    if (match.subjects.length === 0) unmatched.push(pattern);
    else if (fresh.length === 0) exhausted.push(pattern);
    isExact &&= match.kind === 'exact';
  }
  const isOneExact = isExact && subjects.size === 1;
  return { subjects: [...subjects], unmatched, exhausted, patternCount: patterns.length, isOneExact };
}

function loadable({
  kind,
  subjects,
}: Exclude<PatternMatch<Subject>, { kind: 'invalid' }>): readonly Subject[] {
  return kind === 'exact' ? subjects : subjects.filter(({ state }) => state === 'available');
}

interface LoadedSubject {
  readonly subject: Subject;
  /** Absent for a subject that is already in the system prompt and not repeated. */
  readonly read?: SubjectText;
}

function load(files: SubjectFiles, subject: Subject, maxBytes: number): LoadedSubject {
  if (subject.state === 'learned') return { subject };
  return { subject, read: readSubjectText(files, subject.path, maxBytes) };
}

function oneSubject(topic: string, { slug, path }: Subject, read: ReadableText): LearnAnswer {
  const text = rawSubject(path, read);
  return { ok: true, text, data: { topic, subjects: [{ slug, text }], unmatched: [] } };
}

function taggedText(loaded: readonly LoadedSubject[], { unmatched, exhausted }: Selection): string {
  return [
    ...loaded.map((one) => (one.read?.ok ? taggedSubject(one.subject, one.read) : insteadOfText(one))),
    ...exhausted.map(
      (pattern) => `(all subjects that match ${shortQuote(pattern)} are already in the system prompt)`,
    ),
    ...unmatched.map((pattern) => `(no subject matches ${shortQuote(pattern)})`),
  ].join('\n\n');
}

function insteadOfText({ subject: { slug }, read }: LoadedSubject): string {
  const problem = problemOf(read);
  if (problem === undefined) return `(subject "${slug}" is already in the system prompt)`;
  return `(subject "${slug}" was skipped: ${problem})`;
}

function problemOf(read: SubjectText | undefined): string | undefined {
  return read && !read.ok ? describeTextProblem(read) : undefined;
}

function failureSentence({ subject: { slug }, read }: LoadedSubject): string {
  return `The subject "${slug}" was skipped: ${problemOf(read)}.`;
}

function asData({ subject: { slug, path }, read }: LoadedSubject): JsonObject {
  if (!read) return { slug, learned: true };
  return read.ok ? { slug, text: rawSubject(path, read) } : { slug, skipped: describeTextProblem(read) };
}

const MAX_SUGGESTED = 50;

/** Names alternatives, but never what is hidden or disabled. */
function nothingMatches(catalog: Catalog, topicId: string, patterns: readonly string[]): LearnAnswer {
  const message = `No subject of topic "${topicId}" matches ${patterns.map(shortQuote).join(', ')}.`;
  const slugs = catalog.reachable.all.filter(({ hidden }) => !hidden).map(({ slug }) => slug);
  const [asked = ''] = patterns;
  const near =
    patterns.length === 1
      ? (dotless(catalog, asked) ?? didYouMean(asked, slugs) ?? deeper(asked, slugs))
      : undefined;
  return { ok: false, reason: 'no-match', message, hint: near ?? availableSlugs(catalog) };
}

/** For a hidden subject that was asked for by the path of its file. */
function dotless({ reachable }: Catalog, asked: string): string | undefined {
  const named = reachable.all.find(({ path }) => path === asked || path.replace(/\.[^./]+$/, '') === asked);
  return named && `Its slug is ${named.slug}.`;
}

/** `deploy` for `operations/deploy`. */
function deeper(asked: string, slugs: readonly string[]): string | undefined {
  const last = new Map(slugs.map((slug) => [slug.slice(slug.lastIndexOf('/') + 1), slug]));
  return didYouMean(asked, last.keys(), (name) => last.get(name) ?? name);
}

function availableSlugs(catalog: Catalog): string {
  const slugs = catalog.reachable.all.filter(isListed).map(({ slug }) => slug);
  if (slugs.length === 0) return 'It has no subjects left to learn.';
  const more = slugs.length > MAX_SUGGESTED ? ` and ${slugs.length - MAX_SUGGESTED} more` : '';
  return `Available subjects: ${slugs.slice(0, MAX_SUGGESTED).join(', ')}${more}.`;
}
