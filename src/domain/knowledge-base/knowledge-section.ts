import { inertLine, inertText, quoted } from './inert-text.ts';
import { hasListedSubjects } from './open-topics.ts';
import type { Preload, PreloadedTopic } from './preload.ts';
import { type Topic, topicHeading } from './topic.ts';

/** Undefined when there is nothing to list. Ends without a line end. */
export function knowledgeSection(loaded: Preload): string | undefined {
  const menu = loaded.opened.filter(hasListedSubjects).map(({ topic }) => topic);
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

function menuPart(topics: readonly Topic[]): string[] {
  if (topics.length === 0) return [];
  return [
    'The following knowledge topics are available to learn:',
    topics.map(topicMenuLine).join('\n'),
    'Use the `learn` tool to consume this knowledge.',
    HIDDEN_SUBJECTS_NOTE,
  ];
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
