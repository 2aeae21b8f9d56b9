import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import { estimateTokens } from '../../base/text.ts';
import { type Subject, withStates } from './catalog.ts';
import type { OpenTopic } from './open-topics.ts';
import { matchPattern } from './patterns.ts';
import type { SubjectFiles } from './subject-files.ts';
import { describeTextProblem, readSubjectText, taggedSubject } from './subject-text.ts';
import type { KnowledgeBase, Topic } from './topic.ts';

export interface Preload {
  readonly topics: readonly PreloadedTopic[];
  /** The first subject that would exceed the budget, and all after it. */
  readonly leftOut: readonly LeftOut[];
  /** Topics afterwards: subjects that were left out can be learned again. */
  readonly opened: readonly OpenTopic[];
}

export interface PreloadedTopic {
  readonly topic: Topic;
  /** For each subject its tag, or a line that says why it is missing. */
  readonly blocks: readonly string[];
}

export interface LeftOut {
  readonly topic: Topic;
  readonly slug: string;
}

type Limits = Pick<KnowledgeBase, 'maxSubjectBytes' | 'preloadBudgetTokens'>;

export function preload(opened: readonly OpenTopic[], limits: Limits): Preload {
  const purse: Purse = { left: limits.preloadBudgetTokens || Number.POSITIVE_INFINITY, leftOut: [] };
  const topics = opened.map((open) => preloadTopic(open, limits.maxSubjectBytes, purse));
  return {
    topics: topics.filter(({ blocks }) => blocks.length > 0),
    leftOut: purse.leftOut,
    opened: purse.leftOut.length > 0 ? opened.map((open) => releasing(open, purse.leftOut)) : opened,
  };
}

interface Purse {
  left: number;
  readonly leftOut: LeftOut[];
}

function preloadTopic({ topic, files, catalog }: OpenTopic, maxBytes: number, purse: Purse): PreloadedTopic {
  const blocks: string[] = [];
  const recent: string[] = [];
  for (const subject of catalog.subjects.filter(({ state }) => state === 'learned')) {
    const block = purse.leftOut.length > 0 ? undefined : preloadedBlock(files, subject, maxBytes);
    const cost = block === undefined || purse.left === Number.POSITIVE_INFINITY ? 0 : estimateTokens(block);
    if (block === undefined || cost > purse.left) purse.leftOut.push({ topic, slug: subject.slug });
    else {
      purse.left -= cost;
      recent.push(block);
      if (recent.length === BATCH) blocks.push(joined(recent.splice(0)));
    }
  }
  if (recent.length > 0) blocks.push(joined(recent));
  return { topic, blocks };
}

/** The garbage collector moves thousands of short texts again and again, but not a few long ones. */
const BATCH = 256;

function joined(blocks: readonly string[]): string {
  return blocks.join('\n\n');
}

function preloadedBlock(files: SubjectFiles, subject: Subject, maxBytes: number): string {
  const read = readSubjectText(files, subject.path, maxBytes);
  if (read.ok) return taggedSubject(subject, read);
  return `(subject "${subject.slug}" was skipped: ${describeTextProblem(read)})`;
}

function releasing(open: OpenTopic, leftOut: readonly LeftOut[]): OpenTopic {
  const slugs = new Set(leftOut.filter(({ topic }) => topic.id === open.topic.id).map(({ slug }) => slug));
  const stateOf = ({ slug, state }: Subject) => (slugs.has(slug) ? 'available' : state);
  return { ...open, catalog: withStates(open.catalog, stateOf) };
}

/** A pattern that preloads nothing is a mistake that the answer would not show. */
export function requireMatches(opened: readonly OpenTopic[]): void {
  for (const { topic, catalog } of opened) {
    for (const pattern of topic.learned) {
      const match = matchPattern(catalog.reachable, pattern, 'visible');
      if (match.kind === 'invalid' || match.subjects.length > 0) continue;
      const slugs = catalog.reachable.all.filter(({ hidden }) => !hidden).map(({ slug }) => slug);
      throw new Fault('kb/no-match', `No subject of the topic "${topic.id}" matches "${pattern}".`, {
        hint: didYouMean(pattern, slugs) ?? `"ken kb ls ${topic.id}" lists its subjects.`,
      });
    }
  }
}
