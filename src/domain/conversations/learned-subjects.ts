import { isJsonList, memberOf } from '../../base/json.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { ConversationEvent } from './event.ts';

/** What the assistant asked `learn` for by itself, as `topic/subject`. */
export function learnedSubjects(events: readonly ConversationEvent[]): readonly string[] {
  const learned = new Set<string>();
  for (const event of events) {
    if (event.type !== 'tool_call' || event.name !== 'learn') continue;
    const [topic, subjects] = ['topic', 'subjects'].map((name) => memberOf(event.arguments, name));
    if (typeof topic !== 'string') continue;
    for (const subject of isJsonList(subjects) ? subjects : [subjects])
      if (typeof subject === 'string') learned.add(`${topic}/${subject}`);
  }
  return [...learned].sort(compareCodePoints);
}
