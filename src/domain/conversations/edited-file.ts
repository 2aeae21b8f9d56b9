/** Files of a conversation that were edited by hand: read as strictly as they must be to stay readable. */

import { Fault } from '../../base/fault.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Metadata } from './conversation.ts';
import type { ConversationEvent } from './event.ts';
import { parseEventLine } from './event-line.ts';
import { metadataFromJson } from './metadata-file.ts';

export function editedMetadata(text: string): Metadata {
  const metadata = metadataFromJson(json(text));
  if (!metadata) throw refused('it is not the metadata of a conversation: created_at must be a time.');
  return metadata;
}

export function editedConfig(text: string): JsonObject {
  const value = json(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused('it is no JSON object.');
  return value as JsonObject;
}

export function editedEvents(text: string): ConversationEvent[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    const event = parseEventLine(line);
    if (!event) throw refused(`line ${at + 1} is no JSON object.`);
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
