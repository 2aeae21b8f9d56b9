import { nearestByCode } from '../vectors/nearest.ts';
import { codeOf } from '../vectors/quantise.ts';
import type { Field } from './score-words.ts';
import type { Candidate } from './select-top.ts';

/** Codes are coarse: this many are compared exactly to get the best of them right. */
const NEAREST_BY_CODE = 400;

/** The chunks that are nearest by code. `vectors` are those of the question, by field; nothing where there are none. */
export function denseCandidates(
  fields: readonly Field[],
  vectors: readonly (Float32Array | undefined)[],
): Candidate[] {
  const coded = fields.map(({ view, allowed }, at) => {
    const vector = vectors[at];
    return vector && view.codes?.distances(codeOf(vector), allowed);
  });
  return nearestByCode(coded, NEAREST_BY_CODE);
}
