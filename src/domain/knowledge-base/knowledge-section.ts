import { counted, estimateTokens } from '../../base/text.ts';
import { isListed } from './catalog.ts';
import { inertLine, inertText, quoted } from './inert-text.ts';
import { hasListedSubjects, type OpenTopic } from './open-topics.ts';
import type { Preload, PreloadedTopic } from './preload.ts';
import { type Topic, topicHeading } from './topic.ts';

/** Undefined when there is nothing to list. Ends without a line end. */
export function knowledgeSection(loaded: Preload): string | undefined {
  const menu = loaded.opened.filter(hasListedSubjects);
  const paragraphs = [...preloadedPart(loaded), ...leftOutPart(loaded), ...menuPart(menu)];
  const last = paragraphs.pop();
  if (last === undefined) return undefined;
  // Preloaded subjects can be megabytes, so everything is joined at once.
  const [first, ...rest] = [...paragraphs, `${last}\n</knowledge>`];
  return [`<knowledge>\n${first}`, ...rest].join('\n\n');
}

/** `- project (**General Project Knowledge**)` */
export function topicLine({ id, title }: Pick<Topic, 'id' | 'title'>): string {
  const shown = inertLine(title ?? '');
  return shown ? `- ${id} (**${shown}**)` : `- ${id}`;
}

function preloadedPart({ topics }: Preload): string[] {
  if (topics.length === 0) return [];
  return [
    'The following knowledge has been pre-loaded into your system prompt:',
    ...topics.flatMap(preloadedTopic),
  ];
}

function preloadedTopic({ topic, blocks }: PreloadedTopic): string[] {
  const opening = `<topic ${quotedHeading(topic)}>`;
  const description = inertText(topic.description?.trim() ?? '');
  const last = `${blocks.at(-1) ?? ''}\n</topic>`;
  return [opening, ...(description ? [description] : []), ...blocks.slice(0, -1), last];
}

function leftOutPart({ leftOut }: Preload): string[] {
  if (leftOut.length === 0) return [];
  const names = leftOut.map(({ topic, slug }) => `- ${topic.id}/${slug}`);
  return ['The following subjects did not fit into the system prompt:', names.join('\n')];
}

function menuPart(opened: readonly OpenTopic[]): string[] {
  if (opened.length === 0) return [];
  const whole = opened.map(({ topic }) => topicMenuLine(topic)).join('\n');
  if (estimateTokens(whole) <= MENU_TOKENS)
    return [MENU, whole, 'Use the `learn` tool to consume this knowledge.', HIDDEN_SUBJECTS_NOTE];
  return [
    MENU,
    withinMenu(opened.map(countedLine), (left) => `- and ${counted(left, 'more topic')}`),
    'There are too many to describe. Use the `search` tool to find what you need, and the `learn` tool to read it.',
    HIDDEN_SUBJECTS_NOTE,
  ];
}

const MENU = 'The following knowledge topics are available to learn:';
/** A longer list of topics names them without saying what they are. */
const MENU_TOKENS = 1_500;

/** `- project: 12 subjects` */
function countedLine({ topic, catalog }: OpenTopic): string {
  return `- ${topic.id}: ${counted(catalog.subjects.filter(isListed).length, 'subject')}`;
}

/** As many lines as fit, and a last one that counts the others. */
export function withinMenu(lines: readonly string[], rest: (left: number) => string): string {
  let tokens = 0;
  const most = lines.findIndex((line) => {
    tokens += estimateTokens(`${line}\n`);
    return tokens > MENU_TOKENS;
  });
  if (most === -1) return lines.join('\n');
  return [...lines.slice(0, most), rest(lines.length - most)].join('\n');
}

/** `- project (**General Project Knowledge**): How we work.` */
export function topicMenuLine(topic: Topic): string {
  const introduction = inertLine(topic.introduction ?? '');
  return introduction ? `${topicLine(topic)}: ${introduction}` : topicLine(topic);
}

const HIDDEN_SUBJECTS_NOTE = `(note: some topics may contain hidden subjects that are not listed via \`learn\`
by default, but can be loaded manually if you are made aware of their names via
other means, such as by reading non-hidden subjects first. This prevents
exposing too much irrelevant knowledge upfront)`;

export function quotedHeading(topic: Pick<Topic, 'id' | 'title'>): string {
  return quoted(inertLine(topicHeading(topic)));
}
