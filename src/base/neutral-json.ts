import type { JsonObject } from './json.ts';
import { neutralise } from './terminal-text.ts';

/** As data for a model, which reads names and titles along with the rest: every text in it neutralised. */
export function neutralJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'string' ? neutralise(each) : each)));
}
