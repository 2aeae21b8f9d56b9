/** Ids as a person types them: the shortest end that no other of them has. The beginning of an id is its time. */

const GENERATED = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const SHORTEST = 6;

/** Names that somebody chose stay whole. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  const all = new Set(ids);
  const short = new Map<string, string>();
  for (const id of all) {
    let length = SHORTEST;
    const isTaken = (end: string) => [...all].some((other) => other !== id && other.includes(end));
    while (length < id.length && isTaken(id.slice(-length))) length += 1;
    short.set(id, GENERATED.test(id) ? id.slice(-length) : id);
  }
  return (id) => short.get(id) ?? id;
}

/** The shortest beginning that no other of them has, for ids of random digits. */
export function shortStarts(ids: readonly string[]): (id: string) => string {
  const all = [...new Set(ids)];
  return (id) => {
    let length = SHORTEST;
    while (length < id.length && all.some((other) => other !== id && other.startsWith(id.slice(0, length))))
      length += 1;
    return id.slice(0, length);
  };
}

/** Short at a terminal; a program gets whole ids. */
export function idsFor(
  { isTerminal }: { readonly isTerminal: boolean },
  items: readonly { readonly id: string }[],
  shorten = shortIds,
): (id: string) => string {
  return isTerminal ? shorten(items.map(({ id }) => id)) : (id) => id;
}
