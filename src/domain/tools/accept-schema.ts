import { isDeeperThan, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { utf8Length } from '../../base/text.ts';

export type AcceptedSchema =
  | { readonly schema: JsonObject }
  /** In words, for the operator. */
  | { readonly refused: string };

/** A schema that a stranger's server sent for its tool, if it can be used: an object's, of reasonable size. */
export function acceptSchema(sent: Json): AcceptedSchema {
  if (!isJsonObject(sent)) return { refused: 'its schema is not an object' };
  if (isDeeperThan(sent, MAX_DEPTH))
    return { refused: `its schema is nested more than ${MAX_DEPTH} levels deep` };
  if (utf8Length(JSON.stringify(sent)) > MAX_BYTES)
    return { refused: `its schema is larger than ${MAX_BYTES} bytes` };
  const { type = 'object' } = sent;
  if (type !== 'object') return { refused: 'its schema does not describe an object' };
  return { schema: { ...sent, type } };
}

const MAX_DEPTH = 64;
const MAX_BYTES = 128 * 1024;
