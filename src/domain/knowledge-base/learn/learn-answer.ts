import type { JsonObject } from '../../../base/json.ts';

export type LearnAnswer =
  | { readonly ok: true; readonly text: string /** The same as data. */; readonly data: JsonObject }
  | {
      readonly ok: false;
      readonly reason: 'no-match' | 'invalid-pattern' | 'nothing-readable';
      readonly message: string;
      readonly hint?: string | undefined;
    };
