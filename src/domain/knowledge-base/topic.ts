import { Fault, type FaultCode } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import { shortQuote } from './inert-text.ts';
import type { TopicPlace } from './subject-files.ts';

export interface Topic extends TopicPlace {
  readonly id: string;
  readonly enabled: boolean;
  readonly title?: string | undefined;
  readonly introduction?: string | undefined;
  readonly description?: string | undefined;
  /** Patterns of subjects to preload into the system prompt. */
  readonly learned: readonly string[];
  /** Patterns of subjects that an assistant cannot reach. */
  readonly disabled: readonly string[];
}

export interface KnowledgeBase {
  /** In the order of the configuration. */
  readonly topics: readonly Topic[];
  /** Longer subjects are cut. */
  readonly maxSubjectBytes: number;
  /** Limit for all preloaded subjects together; 0 means no limit. */
  readonly preloadBudgetTokens: number;
}

export interface KnowledgeBaseSettings {
  readonly topic: Readonly<Record<string, TopicSettings>>;
  readonly max_subject_bytes: number;
  readonly preload_budget_tokens: number;
}

export interface TopicSettings {
  readonly enable: boolean;
  readonly title?: string | undefined;
  readonly introduction?: string | undefined;
  readonly description?: string | undefined;
  readonly subjects: string;
  readonly learned: readonly string[];
  readonly disabled: readonly string[];
  readonly follow_symlinks: boolean;
  readonly gitignore?: boolean;
}

/** Topic that ships with ken; a workspace cannot use its name. */
export const RESERVED_TOPIC = 'ken';

export const SHIPPED_TOPIC: Topic = {
  id: RESERVED_TOPIC,
  enabled: true,
  title: 'Working with ken',
  introduction: 'How to gather, describe and keep reference material with the reference tools.',
  description: undefined,
  directory: '.',
  followSymlinks: false,
  isShipped: true,
  learned: [],
  disabled: [],
};

export function withShippedTopic(knowledge: KnowledgeBase): KnowledgeBase {
  return { ...knowledge, topics: [...knowledge.topics, SHIPPED_TOPIC] };
}

/** Everything that an assistant is offered: the topics of the workspace, and those of the personal one. */
export function offeredKnowledge({ config, personalTopics }: OfferingPorts): KnowledgeBase {
  const knowledge = knowledgeBaseFrom(config.kb);
  const taken = new Set(knowledge.topics.map(({ id }) => id));
  // A topic of the workspace keeps its name, and hides none of the operator's.
  const named = personalTopics.map((topic) =>
    taken.has(topic.id) ? { ...topic, id: `personal-${topic.id}` } : topic,
  );
  const added = named.filter(({ id }) => !taken.has(id));
  return added.length > 0 ? { ...knowledge, topics: [...knowledge.topics, ...added] } : knowledge;
}

export interface OfferingPorts {
  readonly config: { readonly kb: KnowledgeBaseSettings };
  /** With their roots; empty unless `kb.personal` is true. */
  readonly personalTopics: readonly Topic[];
}

export function knowledgeBaseFrom(settings: KnowledgeBaseSettings): KnowledgeBase {
  return {
    topics: Object.entries(settings.topic).map(([id, topic]) => topicFrom(id, topic)),
    maxSubjectBytes: settings.max_subject_bytes,
    preloadBudgetTokens: settings.preload_budget_tokens,
  };
}

/** A Fault for an id that a topic cannot have. */
export function checkTopicId(id: string, code: FaultCode = 'config/invalid'): string {
  if (!/^[A-Za-z0-9_-]+$/.test(id)) {
    throw new Fault(code, `"${id}" cannot be the id of a topic.`, {
      hint: 'Use letters, digits, "_" and "-".',
    });
  }
  if (id === RESERVED_TOPIC) {
    throw new Fault(code, `The topic id "${id}" is reserved for what ships with ken.`, {
      hint: 'Give the topic another id.',
    });
  }
  return id;
}

export function topicHeading(topic: Pick<Topic, 'id' | 'title'>): string {
  return topic.title?.trim() || topic.id;
}

/** Matches the id exactly, else the title ignoring case. Skips topics that are switched off. */
export function findTopic(topics: readonly Topic[], asked: string): Topic | undefined {
  const enabled = topics.filter((topic) => topic.enabled);
  const title = asked.trim().toLowerCase();
  return (
    enabled.find((topic) => topic.id === asked) ??
    enabled.find((topic) => topic.title?.trim().toLowerCase() === title)
  );
}

export function unknownTopic(
  topics: readonly Topic[],
  asked: string,
): { readonly message: string; readonly hint: string } {
  const enabled = topics.filter((topic) => topic.enabled);
  const names = enabled.flatMap(({ id, title }) => (title ? [id, title] : [id]));
  const message = `There is no topic ${shortQuote(asked)}.`;
  if (enabled.length === 0) return { message, hint: 'No topics are configured.' };
  const valid = `Valid topics: ${enabled.map(({ id, title }) => (title ? `${id} (${title})` : id)).join(', ')}.`;
  return { message, hint: [didYouMean(asked, names), valid].filter(Boolean).join(' ') };
}

function topicFrom(id: string, settings: TopicSettings): Topic {
  return {
    id: checkTopicId(id),
    enabled: settings.enable,
    title: settings.title,
    introduction: settings.introduction,
    description: settings.description,
    directory: tidyPath(settings.subjects),
    followSymlinks: settings.follow_symlinks,
    respectsGitignore: settings.gitignore === true,
    learned: settings.learned,
    disabled: settings.disabled,
  };
}

/** `./docs/` → `docs`. */
function tidyPath(directory: string): string {
  const parts = directory.split('/').filter((part) => part !== '' && part !== '.');
  return parts.join('/') || '.';
}

/** The path of a subject's file from the root of the workspace; absolute for a topic of the personal one. */
export function fileOf({ directory, root }: Pick<Topic, 'directory' | 'root'>, path: string): string {
  const within = directory === '.' ? path : `${directory}/${path}`;
  return root === undefined ? within : `${root}/${within}`;
}
