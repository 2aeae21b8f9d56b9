import {
  asNumber,
  asText,
  asTexts,
  isJsonList,
  type Json,
  type JsonObject,
  memberOf,
  parseJson,
} from '../../../base/json.ts';
import { secondsOf } from '../../../base/time.ts';
import { type ForeignMemory, memoryTags, memoryText, memoryTitle, saidBy } from './foreign-memories.ts';

/** Observations of claude-mem, one memory for each; its summaries and prompts are conversations. */
export function observationsOf(data: JsonObject): ForeignMemory[] {
  const rows = memberOf(data, 'observations');
  return isJsonList(rows) ? rows.flatMap((row) => observationOf(row)) : [];
}

function observationOf(row: Json): ForeignMemory[] {
  const text = (name: string) => asText(memberOf(row, name)) ?? '';
  const facts = listIn(text('facts')).map((fact) => `- ${fact}`);
  const files = [...new Set([...listIn(text('files_modified')), ...listIn(text('files_read'))])];
  const said = [
    text('subtitle'),
    text('narrative') || text('text'),
    facts.join('\n'),
    files.length > 0 ? `Files: ${files.join(', ')}` : '',
  ];
  const body = memoryText(said.filter((part) => part.trim() !== '').join('\n\n'));
  const title = memoryTitle(text('title') || text('subtitle') || body) || 'Observation';
  if (body === '') return [];
  const at = timeOf(row);
  const source = text('memory_session_id');
  // The database numbers its rows anew when it is imported elsewhere; the digest of the content stays.
  const key = ['observation', source, text('content_hash') || `${at ?? ''} ${title}`].join('\0');
  const provenance = saidBy('claude-mem', source, at);
  const tags = memoryTags(text('type'), ...listIn(text('concepts')));
  return [{ key, title, text: body, tags, at, provenance }];
}

/** A list that is stored as JSON. */
function listIn(json: string): readonly string[] {
  const texts = json === '' ? undefined : asTexts(parseJson(json));
  return (texts ?? []).map(memoryTitle).filter((text) => text !== '');
}

function timeOf(row: Json): number | undefined {
  const milliseconds = asNumber(memberOf(row, 'created_at_epoch'));
  const isTime = milliseconds !== undefined && milliseconds > 0 && milliseconds < LATEST_MS;
  return isTime ? secondsOf(milliseconds) : undefined;
}

/** The year 2286, in which milliseconds get another digit. */
const LATEST_MS = 10 ** 13;
