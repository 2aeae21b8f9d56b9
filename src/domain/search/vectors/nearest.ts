/** Which chunks point the way a query points, roughly: those that are worth comparing exactly. */

import { WITH_CODE } from '../chunk-blocks.ts';
import type { Candidate } from '../ranking/select-top.ts';

export interface CodedField {
  /** By chunk number: 1 where a hit may be. */
  readonly allowed: Uint8Array;
  /** By chunk number: `WITH_CODE` where there is a code. */
  readonly present: Uint8Array;
  readonly distances: Uint16Array;
}

/** The nearest `count`; of equals, the lower field and chunk. Filters come before the cut. */
export function nearestByCode(fields: readonly CodedField[], count: number, dimension: number): Candidate[] {
  const histogram = new Uint32Array(dimension + 1);
  for (const field of fields) tally(field, histogram);
  const cut = cutAt(histogram, count);
  const nearer: Candidate[] = [];
  const last: Candidate[] = [];
  for (const [number, field] of fields.entries()) collect(field, number, cut, nearer, last);
  return [...nearer, ...last].slice(0, count);
}

function tally({ allowed, present, distances }: CodedField, histogram: Uint32Array): void {
  const count = Math.min(allowed.length, present.length);
  for (let chunk = 0; chunk < count; chunk++) {
    if (allowed[chunk] !== 1 || present[chunk] !== WITH_CODE) continue;
    const distance = distances[chunk] as number;
    histogram[distance] = (histogram[distance] as number) + 1;
  }
}

function cutAt(histogram: Uint32Array, count: number): number {
  let seen = 0;
  for (let distance = 0; distance < histogram.length; distance++) {
    seen += histogram[distance] as number;
    if (seen >= count) return distance;
  }
  return histogram.length;
}

function collect(
  { allowed, present, distances }: CodedField,
  field: number,
  cut: number,
  nearer: Candidate[],
  last: Candidate[],
): void {
  const count = Math.min(allowed.length, present.length);
  for (let chunk = 0; chunk < count; chunk++) {
    const distance = distances[chunk] as number;
    if (distance > cut || allowed[chunk] !== 1 || present[chunk] !== WITH_CODE) continue;
    (distance < cut ? nearer : last).push({ field, chunk });
  }
}
