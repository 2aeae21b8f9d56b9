import { lazy } from '../../base/lazy.ts';
import { visible } from '../../base/text.ts';
import type { Subject } from './catalog.ts';
import { parseFrontMatter } from './front-matter.ts';
import { type OpenTopic, openTopic, type TopicPorts } from './open-topics.ts';
import { indexed, matchPattern, placeOf, type SubjectIndex } from './patterns.ts';
import type { DirectoryProblem, SkipReason } from './subject-files.ts';
import { describeTextProblem, readSubjectText } from './subject-text.ts';
import type { KnowledgeBase, Topic } from './topic.ts';

/** In the order of the configuration, then of the checks, then by slug. Skips topics that are switched off. */
export async function checkTopics(ports: TopicPorts, knowledge: KnowledgeBase): Promise<TopicFinding[]> {
  const enabled = knowledge.topics.filter((topic) => topic.enabled);
  const opened = await Promise.all(enabled.map((topic) => openTopic(ports, topic)));
  const against = {
    slugs: new Map(opened.map(({ topic, catalog }) => [topic.id, catalog.reachable])),
    maxBytes: knowledge.maxSubjectBytes,
    isNowhere: placeLookup(ports),
  };
  return (await Promise.all(opened.map((open) => checkTopic(open, against)))).flat();
}

interface Against {
  readonly slugs: SlugsByTopic;
  readonly maxBytes: number;
  /** Whether the workspace has no directory of this name, so that what begins with it is no path of a file. */
  isNowhere(directory: string): Promise<boolean>;
}

function placeLookup({ topicFiles }: TopicPorts): Against['isNowhere'] {
  const known = new Map<string, Promise<boolean>>();
  const look = async (directory: string) =>
    (await topicFiles.open({ directory, followSymlinks: false })).list().problem === 'missing';
  return (directory) => {
    const found = known.get(directory) ?? look(directory);
    known.set(directory, found);
    return found;
  };
}

async function checkTopic(open: OpenTopic, against: Against): Promise<TopicFinding[]> {
  const { topic, catalog } = open;
  const { problem, skipped } = catalog.listing;
  if (problem)
    return [...emptyTitle(topic), finding(topic, 'directory', `${topic.directory} ${DIRECTORY[problem]}`)];
  const found = [
    ...emptyTitle(topic),
    ...skipped.map(({ path, reason }) => finding(topic, 'skipped-file', `${path} ${SKIPPED[reason]}`)),
    ...collisions(topic, catalog.subjects),
    ...deadPatterns(open),
  ];
  // One after another, so that a hundred thousand texts are not held at once.
  for (const subject of catalog.reachable.all) found.push(...(await checkSubject(open, subject, against)));
  return found;
}

const DIRECTORY: Readonly<Record<DirectoryProblem, string>> = {
  missing: 'does not exist',
  'not-a-directory': 'is not a directory',
  outside: 'is a link that leaves the workspace; follow_symlinks and "ken trust" together allow that',
  unreadable: 'cannot be read',
};

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  'link-broken': 'is a link that leads nowhere',
  'link-loop': 'is a link back to a directory around it',
  'link-outside':
    'is a link that leaves the topic; follow_symlinks allows that, and "ken trust" if it leaves the workspace',
  'name-not-utf8': 'has a name that is not UTF-8',
  'not-a-file': 'is neither a file nor a directory',
  'too-deep': 'is below more directories than a topic may have',
  'too-many': 'has more files or links than a topic may have',
  unreadable: 'cannot be read',
};

function emptyTitle(topic: Topic): TopicFinding[] {
  return topic.title?.trim() === '' ? [finding(topic, 'empty-title', 'its title is empty')] : [];
}

function collisions(topic: Topic, subjects: readonly Subject[]): TopicFinding[] {
  return subjects
    .filter(({ collides }) => collides)
    .map(({ path, slug }) => finding(topic, 'collision', `${path} shares its name with another file`, slug));
}

function deadPatterns({ topic, catalog }: OpenTopic): TopicFinding[] {
  const all = indexed(catalog.subjects);
  const isDead = (pattern: string) => {
    const match = matchPattern(all, pattern, 'all');
    return match.kind !== 'invalid' && match.subjects.length === 0;
  };
  return (['learned', 'disabled'] as const).flatMap((list) =>
    topic[list]
      .filter(isDead)
      .map((pattern) => finding(topic, 'dead-pattern', `${list}: "${pattern}" matches no subject`)),
  );
}

export interface TopicFinding {
  readonly topic: string;
  readonly kind: FindingKind;
  readonly message: string;
  /** Absent for a finding about the whole topic. */
  readonly slug?: string | undefined;
}

export type FindingKind =
  | 'binary'
  | 'collision'
  | 'dead-pattern'
  | 'directory'
  | 'empty-title'
  | 'invisible-text'
  | 'not-utf8'
  | 'oversize'
  | 'skill'
  | 'skipped-file'
  | 'unknown-subject'
  | 'unreadable';

function finding(topic: Topic, kind: FindingKind, message: string, slug?: string): TopicFinding {
  return { topic: topic.id, kind, message, ...(slug === undefined ? {} : { slug }) };
}

async function checkSubject(
  { topic, files }: OpenTopic,
  subject: Subject,
  against: Against,
): Promise<TopicFinding[]> {
  const found = (kind: FindingKind, message: string) => finding(topic, kind, message, subject.slug);
  const read = readSubjectText(files, subject.path, against.maxBytes);
  if (!read.ok) return [found(read.problem, describeTextProblem(read))];
  const findings: TopicFinding[] = [];
  if (read.sizeBytes > read.shownBytes) {
    findings.push(found('oversize', `it has ${read.sizeBytes} bytes, and only ${read.shownBytes} are shown`));
  }
  const [invisible] = INVISIBLE.exec(read.text) ?? [];
  if (invisible)
    findings.push(found('invisible-text', `it holds text that a reader cannot see (${visible(invisible)})`));
  if (subject.isSkill) findings.push(...skillProblems(read.text).map((problem) => found('skill', problem)));
  for (const slug of await deadMentions(read.text, topic, against)) {
    findings.push(found('unknown-subject', `it mentions the subject "${slug}", which cannot be learned`));
  }
  return findings;
}

/** Bidirectional controls and tag characters (except in flags), which hide text from people but not from models. */
const INVISIBLE =
  /[\u202a-\u202e\u2066-\u2069]|(?<!\u{1f3f4}[\u{e0000}-\u{e007f}]{0,6})[\u{e0000}-\u{e007f}]/u;

function skillProblems(text: string): string[] {
  const fields = parseFrontMatter(text)?.fields;
  if (!fields) return ['it is a SKILL.md without front matter'];
  return ['name', 'description']
    .filter((field) => !fields[field])
    .map((field) => `it is a SKILL.md without a ${field}`);
}

/** Subjects that can be learned, by topic id. Includes hidden ones, which are found through mentions. */
type SlugsByTopic = ReadonlyMap<string, SubjectIndex<Subject>>;

function beginsLikeSubject({ all }: SubjectIndex<Subject>, first: string): boolean {
  const at = (text: string) => all[placeOf(all, text)]?.slug;
  return at(first) === first || at(`${first}/`)?.startsWith(`${first}/`) === true;
}

/**
 * Slugs that the text tells its reader to learn and that do not exist. A name counts only if it is called a subject,
 * begins like one, or is read and cannot be a path of the workspace: a path of source code in backticks is no mention.
 */
async function deadMentions(
  text: string,
  { id, respectsGitignore }: Topic,
  { slugs, isNowhere }: Against,
): Promise<string[]> {
  const own = slugs.get(id);
  const dead = new Set<string>();
  for (const [, hint = '', name = ''] of text.matchAll(mention())) {
    const [first = '', ...rest] = name.split('/');
    const isPath = rest.length > 0 && (slugs.has(first) || (own && beginsLikeSubject(own, first)));
    if (own?.bySlug.has(name) || slugs.get(first)?.bySlug.has(rest.join('/'))) continue;
    // Texts about source code name paths of other places.
    const mayBeOne = rest.length > 0 && !respectsGitignore && READ.test(hint) && !MEDIA_TYPE.test(name);
    if (isPath || CALLED_SUBJECT.test(hint) || (mayBeOne && (await isNowhere(first)))) dead.add(name);
  }
  return [...dead];
}

/** A verb of reading and a name in backticks without an extension or glob characters. */
const mention = lazy(
  () =>
    /\b((?:read|learn|load|see|study|consult)(?:[ \t]+(?:also|the|subjects?))*)[ \t]+`([\p{L}\p{N}_-]+(?:\/[\p{L}\p{N}_-]+)*)`/giu,
);
const READ = /^(?:read|learn|study|consult)/i;
const MEDIA_TYPE = /^(?:application|audio|font|image|model|multipart|text|video)\//i;
const CALLED_SUBJECT = /^learn|subjects?$/i;
