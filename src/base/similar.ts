import { compareCodePoints } from './text.ts';

/** The candidates that are close enough to be meant, nearest first; at most `limit`. */
export function similarNames(typed: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = typed.toLowerCase().slice(0, 100);
  const scored: { name: string; distance: number }[] = [];
  for (const name of new Set(candidates)) {
    const known = name.toLowerCase();
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, known.length) * 0.4));
    if (Math.abs(wanted.length - known.length) > allowed) continue;
    const distance = editDistance(wanted, known);
    if (distance <= allowed && distance < wanted.length) scored.push({ name, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || compareCodePoints(a.name, b.name));
  // Next to a slip of one letter, names that only begin the same are not shown.
  const farthest = 2 * (scored[0]?.distance ?? 0);
  const near = scored.filter(({ distance }) => distance <= farthest);
  return near.slice(0, limit).map(({ name }) => name);
}

/** `Did you mean a, b or c?`, or undefined when no name is near. `shown` formats each name. */
export function didYouMean(
  typed: string,
  candidates: Iterable<string>,
  shown = (name: string) => name,
): string | undefined {
  return meantOneOf(similarNames(typed, candidates).map(shown));
}

/** `Did you mean a, b or c?` for all these names. */
export function meantOneOf(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const last = names.at(-1);
  return `Did you mean ${names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last}?`;
}

/** Counts insertions, deletions, replacements and swaps of neighbours. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (beforePrevious[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
