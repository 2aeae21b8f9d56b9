import type { Json, JsonObject } from '../../../base/json.ts';
import type { Problem } from './problem.ts';

/** One value under one schema, on the way through both. */
export interface Site {
  readonly schema: JsonObject;
  readonly value: Json;
  readonly path: readonly (string | number)[];
  /** The problems of this value, or of a part of it, under another schema. */
  check(schema: Json, value: Json, step?: string | number): Problem[];
}

export function problemAt(site: Site, message: string): Problem {
  return { path: site.path, message };
}
