/** Subjects that go into the system prompt, within the budget that they may cost there. */

import { estimateTokens } from '../../base/text.ts';
import { type Subject, withStates } from './catalog.ts';
import { formatSubject, subjectTag } from './format-subject.ts';
import type { OpenTopic } from './open-topics.ts';
import type { SubjectFiles } from './subject-files.ts';
import { describeTextProblem, readSubjectText } from './subject-text.ts';
import type { KnowledgeBase, Topic } from './topic.ts';

export interface Preload {
  readonly topics: readonly PreloadedTopic[];
  /** Once one subject would pass the budget, it and all after it. */
  readonly leftOut: readonly LeftOut[];
  /** All topics as they are afterwards: what was left out is available to learn again. */
  readonly opened: readonly OpenTopic[];
}

export interface PreloadedTopic {
  readonly topic: Topic;
  /** For each subject its tag, or a line that says why there is none. */
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
  for (const subject of catalog.subjects.filter(({ state }) => state === 'learned')) {
    const block = purse.leftOut.length > 0 ? undefined : preloadedBlock(files, subject, maxBytes);
    const cost = block === undefined ? 0 : estimateTokens(block);
    if (block === undefined || cost > purse.left) purse.leftOut.push({ topic, slug: subject.slug });
    else {
      purse.left -= cost;
      blocks.push(block);
    }
  }
  return { topic, blocks };
}

function preloadedBlock(files: SubjectFiles, { path, slug }: Subject, maxBytes: number): string {
  const read = readSubjectText(files, path, maxBytes);
  if (!read.ok) return `(subject "${slug}" was skipped: ${describeTextProblem(read.problem)})`;
  return subjectTag(slug, formatSubject(path, read));
}

function releasing(open: OpenTopic, leftOut: readonly LeftOut[]): OpenTopic {
  const slugs = new Set(leftOut.filter(({ topic }) => topic.id === open.topic.id).map(({ slug }) => slug));
  const stateOf = ({ slug, state }: Subject) => (slugs.has(slug) ? 'available' : state);
  return { ...open, catalog: withStates(open.catalog, stateOf) };
}
