/** Topics and conversations in `ken team push`, `pull` and `status`. */

import path from 'node:path';
import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { parseGlob } from '../../../../base/glob.ts';
import { counted } from '../../../../base/text.ts';
import { isoTime, minuteTime } from '../../../../base/time.ts';
import { knowledgeBaseFrom } from '../../../../domain/knowledge-base/topic.ts';
import type { ConversationEnd } from '../../../../domain/team/conversations/share-conversations.ts';
import type { SharedConversation } from '../../../../domain/team/conversations/shared-conversations.ts';
import {
  standingOf,
  type TopicEnd,
  type TopicPair,
  type TopicPorts,
  type WantedTopics,
} from '../../../../domain/team/topics/share-topics.ts';
import type { TopicAbout } from '../../../../domain/team/topics/shared-topics.ts';
import type { ItemColumn } from '../../render/table.ts';
import { whileTrusted } from '../while-trusted.ts';

export function topicPorts(app: WorkspaceApp): TopicPorts {
  const { library, teamLibrary, teamTopics, teamBases, plainTopicFiles, newFiles, hasher, workspace } = app;
  return {
    ...{ library, teamLibrary, teamTopics, teamBases, plainTopicFiles, newFiles, hasher, workspace },
    knowledge: knowledgeBaseFrom(app.config.kb),
    configure: (id, directory, about) => configure(app, id, directory, about),
  };
}

/** Writes what differs from the configuration; what is preloaded or switched off stays as it is here. */
async function configure(app: WorkspaceApp, id: string, directory: string, about: TopicAbout): Promise<void> {
  const known = app.config.kb.topic[id];
  const values = known ? about : { subjects: directory, ...about };
  const changed = Object.entries(values).filter(
    ([key, value]) => (value ?? '') !== (known?.[key as keyof TopicAbout] ?? ''),
  );
  if (changed.length === 0) return;
  const file = path.join(app.workspace.home, 'config.toml');
  const { setKey } = await import('../../../../config/set-key.ts');
  await whileTrusted(app, app.workspace.root, file, async () => {
    for (const [key, value] of changed) {
      const change = { op: 'set', path: ['kb', 'topic', id, key], value: value ?? '' } as const;
      await setKey(app.configFiles, { file, standing: 'workspace', change });
    }
  });
}

/** The topics that `--topic` names. */
export function wantedTopics(patterns: readonly string[]): WantedTopics {
  if (patterns.length === 0) return 'on both sides';
  return patterns.map((pattern) => {
    const parsed = parseGlob(pattern);
    if (parsed.ok) return parsed.glob;
    throw new Fault('cli/usage', `"${pattern}" names no topics.`, {
      hint: 'Write the id of a topic, or a pattern such as topic-*.',
    });
  });
}

/** A Fault when a name without wildcards is no topic on either side. */
export function requireTopics(patterns: readonly string[], pairs: readonly TopicPair[]): void {
  const missing = patterns.find(
    (pattern) => !/[*?[\]{}]/.test(pattern) && !pairs.some(({ id }) => id === pattern),
  );
  if (missing === undefined) return;
  throw new Fault('references/not-found', `There is no topic "${missing}", neither here nor in the team.`, {
    hint: 'See "ken kb ls", "ken ref ls" and "ken team status".',
  });
}

const WORDS: Record<TopicEnd['what'], string> = {
  imported: 'new',
  updated: 'update',
  unchanged: 'unchanged',
  conflict: 'left out',
  refused: 'left out',
};

export const TOPIC_COLUMNS: readonly ItemColumn<TopicEnd>[] = [
  { title: 'topic', cell: ({ id }) => id },
  { title: 'what', cell: ({ what }) => WORDS[what] },
  { title: 'files', align: 'right', cell: ({ files }) => String(files) },
  { title: 'bytes', align: 'right', cell: ({ bytes }) => String(bytes) },
  { title: 'why', flexible: true, cell: ({ reason = '' }) => reason },
];

export const STANDING_COLUMNS: readonly ItemColumn<TopicPair>[] = [
  { title: 'topic', cell: ({ id }) => id },
  { title: 'standing', cell: standingOf },
  { title: 'files', align: 'right', cell: ({ here, there }) => String((here ?? there)?.files ?? 0) },
  { title: 'bytes', align: 'right', cell: ({ here, there }) => String((here ?? there)?.bytes ?? 0) },
  { title: 'title', flexible: true, cell: ({ here, there }) => (here ?? there)?.title ?? '' },
];

export const CONVERSATION_COLUMNS: readonly ItemColumn<ConversationEnd>[] = [
  { title: 'conversation', cell: ({ id }) => id },
  { title: 'what', cell: ({ what }) => WORDS[what] },
  { title: 'turns', align: 'right', cell: ({ turns }) => String(turns) },
  { title: 'bytes', align: 'right', cell: ({ bytes }) => String(bytes) },
  { title: 'title', flexible: true, cell: ({ title }) => title },
  { title: 'why', flexible: true, cell: ({ reason = '' }) => reason },
];

export const SHARED_COLUMNS: readonly ItemColumn<SharedConversation>[] = [
  { title: 'conversation', cell: ({ id }) => id },
  { title: 'active', cell: ({ metadata }) => minuteTime(metadata.activeAt) },
  { title: 'title', flexible: true, cell: ({ metadata: { title = '' } }) => title },
];

export function sharedAsJson({ id, metadata: { title = '', activeAt } }: SharedConversation) {
  return { id, title, active_at: isoTime(activeAt) };
}

export function conversationAsJson({ id, title, what, reason, turns, bytes }: ConversationEnd) {
  return { id, title, what, reason: reason ?? null, turns, bytes };
}

export function topicAsJson({ kind, id, what, reason, files, bytes }: TopicEnd) {
  return { kind, id, what, reason: reason ?? null, files, bytes };
}

export function pairAsJson(pair: TopicPair) {
  const { kind, id, here, there } = pair;
  const { title = '', files = 0, bytes = 0 } = here ?? there ?? {};
  return { kind, id, title, standing: standingOf(pair), files, bytes };
}

export function topicCount(ends: readonly unknown[]): string {
  return counted(ends.length, 'topic');
}
