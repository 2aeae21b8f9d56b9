import { Fault } from '../../base/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Metadata } from './conversation.ts';
import type { ConversationEvent } from './event.ts';
import { isUnfitEvent, parseEventLine } from './event-line.ts';
import { metadataFromJson, metadataProblems } from './metadata-file.ts';

export function editedMetadata(text: string): Metadata {
  const value = json(text);
  const metadata = metadataFromJson(value);
  const [problem] = metadataProblems(value);
  if (problem !== undefined || !metadata)
    throw refused(`it is not the metadata of a conversation: ${problem}.`);
  return metadata;
}

/** Rejects problems that the edit added; `problemsOf` also finds those that were there before. */
export async function editedConfig(
  text: string,
  before: JsonObject,
  problemsOf: (config: JsonObject) => Promise<readonly string[]>,
): Promise<JsonObject> {
  const value = json(text);
  if (!isJsonObject(value)) throw refused('it is not a JSON object.');
  const known = await problemsOf(before);
  const problem = (await problemsOf(value)).find((each) => !known.includes(each));
  if (problem !== undefined) throw refused(`${problem}.`);
  return value;
}

/** Keeps every line that was there before, even an invalid one. */
export function editedEvents(text: string, before: string): ConversationEvent[] {
  const known = new Set(before.split('\n'));
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const event = parseEventLine(line);
    if (!event) throw refused(`line ${at + 1} is not a JSON object.`);
    if (isUnfitEvent(event) && !known.has(line))
      throw refused(`line ${at + 1} lacks what an event of its type has, or says it wrongly.`);
    return [event];
  });
}

function json(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw refused(`${(error as Error).message}.`);
  }
}

function refused(why: string): Fault {
  return new Fault('conversations/invalid', `The edit was not kept: ${why}`, {
    hint: 'The conversation is as it was. Edit it again.',
  });
}
