import { type CodedField, nearestByCode } from '../vectors/nearest.ts';
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
  const coded = fields.map((field, at) => codedField(field, vectors[at]));
  const dimension = Math.max(0, ...vectors.map((vector) => vector?.length ?? 0));
  return nearestByCode(coded, NEAREST_BY_CODE, dimension);
}

function codedField({ view, allowed }: Field, vector: Float32Array | undefined): CodedField {
  if (!vector || !view.codes) return { allowed, present: new Uint8Array(0), distances: new Uint16Array(0) };
  return { allowed, present: view.codes.present, distances: view.codes.distances(codeOf(vector)) };
}
