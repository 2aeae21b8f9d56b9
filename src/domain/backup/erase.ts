/** Erasing: something is removed from every place where ken keeps it. A tombstone without its content stays. */

export interface EraseTarget {
  readonly kind: 'entry' | 'conversation' | 'topic';
  /** A topic's is its directory name. */
  readonly id: string;
  /** Everything that it says; copies are recognised by it. */
  readonly texts: readonly string[];
}

export interface Tombstone extends Pick<EraseTarget, 'kind' | 'id'> {
  /** Id of the ledger that an entry was in. */
  readonly ledger?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Erasures {
  /** Every copy, in the order in which they are to be erased: what is in use comes last. Changes nothing. */
  find(target: EraseTarget, signal: AbortSignal): Promise<FoundCopies>;
  /** Writes the tombstone. Called before the first copy is erased, so that no restore brings it back. */
  bury(target: EraseTarget): Promise<void>;
  tombstones(): Promise<readonly Tombstone[]>;
  /** Erases from the ledger what a restore has brought back; returns how many entries. */
  eraseAgain(tombstones: readonly Tombstone[]): Promise<number>;
}

export interface FoundCopies {
  readonly copies: readonly ErasableCopy[];
  /** Archives that ken wrote and that are not where they were. */
  readonly unreachable: readonly string[];
  /** Commits of the repository in which the text comes or goes, with their subjects. */
  readonly commits: readonly string[];
  /** Files that say the same and are not part of it. */
  readonly elsewhere: readonly string[];
}

export interface ErasableCopy {
  readonly path: string;
  readonly what: string;
  /** Can be repeated after it was interrupted. */
  erase(): Promise<void>;
}

export interface ErasedCopies {
  readonly erased: readonly ErasableCopy[];
  readonly failed: readonly { readonly copy: ErasableCopy; readonly error: unknown }[];
}

/** Goes on after a copy that cannot be erased; what is in use stays then, so that the command can be repeated. */
export async function eraseCopies(copies: readonly ErasableCopy[]): Promise<ErasedCopies> {
  const erased: ErasableCopy[] = [];
  const failed: { copy: ErasableCopy; error: unknown }[] = [];
  for (const [at, copy] of copies.entries()) {
    if (at === copies.length - 1 && failed.length > 0) break;
    try {
      await copy.erase();
      erased.push(copy);
    } catch (error) {
      failed.push({ copy, error });
    }
  }
  return { erased, failed };
}

const SHORTEST = 12;
const LONGEST = 64;
const MOST = 200;

/** Tells whether a content, as text or as bytes, has a line of the texts in it, plain or as JSON writes it. */
export function textFinder(
  texts: readonly string[],
): (content: { includes(part: string): boolean }) => boolean {
  const fragments = fragmentsOf(texts);
  return (content) => fragments.some((each) => content.includes(each));
}

/** Beginnings of lines that are long enough to say something; where all are short, the texts themselves. */
export function fragmentsOf(texts: readonly string[]): string[] {
  const long = texts
    .flatMap((text) => text.split('\n').map((line) => line.trim()))
    .filter(({ length }) => length >= SHORTEST);
  const short = texts.map((text) => text.trim()).filter(({ length }) => length >= SHORTEST / 2);
  const plain = long.length > 0 ? long : short;
  const parts = [...new Set(plain.map((each) => each.slice(0, LONGEST).toWellFormed()))]
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST);
  return [...new Set(parts.flatMap((each) => [each, JSON.stringify(each).slice(1, -1)]))];
}

/** The part of a backup that belongs to the target; entries have none of their own. */
export function isPartOf({ kind, id }: Pick<EraseTarget, 'kind' | 'id'>, archived: string): boolean {
  const [part, first] = archived.split('/');
  if (first !== id) return false;
  return kind === 'topic' ? part === 'references' : kind === 'conversation' && part !== 'references';
}
