import { compareCodePoints } from '../../base/text.ts';
import type { ConversationEvent } from './event.ts';

/** What the assistant learned by itself, as `topic` or `topic/subject`. */
export function learnedSubjects(events: readonly ConversationEvent[]): readonly string[] {
  const learned = new Set<string>();
  for (const event of events) {
    if (event.type !== 'tool_call' || event.name !== 'learn') continue;
    const { topic, subjects } = event.arguments as { topic?: unknown; subjects?: unknown };
    if (typeof topic !== 'string') continue;
    const asked = Array.isArray(subjects) ? subjects : [subjects];
    const names = asked.filter((subject) => typeof subject === 'string');
    for (const name of names) learned.add(`${topic}/${name}`);
  }
  return [...learned].sort(compareCodePoints);
}
