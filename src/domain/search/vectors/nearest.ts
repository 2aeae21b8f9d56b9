/** Which chunks point the way a query points, roughly: those that are worth comparing exactly. */

import type { Candidate } from '../ranking/select-top.ts';
import type { Distances } from './code-table.ts';

/** The nearest `count`; of equals, the lower field and chunk. Filters come before the cut. */
export function nearestByCode(fields: readonly (Distances | undefined)[], count: number): Candidate[] {
  const cut = cutAt(fields, count);
  const near = fields.flatMap((coded, field) => coded?.within(cut).map((each) => ({ field, ...each })) ?? []);
  const nearer = near.filter(({ distance }) => distance < cut);
  const last = near.filter(({ distance }) => distance === cut);
  return [...nearer, ...last].slice(0, count).map(({ field, chunk }) => ({ field, chunk }));
}

/** The lowest distance within which there are enough. */
function cutAt(fields: readonly (Distances | undefined)[], count: number): number {
  const longest = Math.max(0, ...fields.map((coded) => coded?.histogram.length ?? 0));
  let seen = 0;
  for (let distance = 0; distance < longest; distance++) {
    for (const coded of fields) seen += coded?.histogram[distance] ?? 0;
    if (seen >= count) return distance;
  }
  return longest;
}
