/** Blocks of one index in memory, updated with what changed since the last snapshot. */

import { BLOCK_SIZE, type ChunkBlock, NOTHING_TO_EMBED, WITH_CODE } from '../index/chunk-blocks.ts';
import type { EmbedderKey, Group, Known, Snapshot } from '../index/index-store.ts';
import { CodeTable } from '../vectors/code-table.ts';
import { totalLength } from '../vectors/kernel.ts';

export class IndexView {
  generation = '';
  revision = 0;
  /** By chunk number: 1 where there is a chunk. */
  present = new Uint8Array(0);
  lengths = new Uint16Array(0);
  groupNumbers = new Uint32Array(0);
  groups: ReadonlyMap<number, Group> = new Map();
  chunkCount = 0;
  totalLength = 0;
  embedder: EmbedderKey | undefined;
  codes: CodeTable | undefined;
  codesRevision = 0;
  /** Includes chunks without words. */
  embeddedCount = 0;

  known(wantsCodes: boolean): Known {
    return {
      generation: this.generation,
      revision: this.revision,
      codesRevision: wantsCodes ? this.codesRevision : undefined,
    };
  }

  /** Applies the snapshot that was read with the result of `known`. */
  update(snapshot: Snapshot, hasCodes: boolean): void {
    if (snapshot.generation !== this.generation) this.#forget(snapshot.generation);
    this.revision = snapshot.revision;
    this.groups = new Map(snapshot.groups.map((group) => [group.number, group]));
    this.#makeRoom(endOf(snapshot.chunkBlocks));
    for (const block of snapshot.chunkBlocks) this.#putChunks(block);
    if (snapshot.embedder?.fingerprint !== this.embedder?.fingerprint) this.#forgetCodes();
    this.embedder = snapshot.embedder;
    if (!snapshot.embedder || !hasCodes) return;
    this.codesRevision = snapshot.revision;
    this.codes ??= new CodeTable(snapshot.embedder.dimension);
    this.codes.makeRoom(endOf(snapshot.codeBlocks));
    for (const block of snapshot.codeBlocks) {
      const first = block.number * BLOCK_SIZE;
      this.embeddedCount -= countDone(this.codes.present.subarray(first, first + BLOCK_SIZE));
      this.codes.put(block);
      this.embeddedCount += countDone(block.present);
    }
  }

  #putChunks({ number, present, lengths, groups }: ChunkBlock): void {
    const first = number * BLOCK_SIZE;
    this.#count(first, -1);
    this.present.set(present, first);
    this.lengths.set(lengths, first);
    this.groupNumbers.set(groups, first);
    this.#count(first, 1);
  }

  #count(first: number, sign: 1 | -1): void {
    const { present, lengths } = this;
    const end = first + BLOCK_SIZE;
    // Most blocks are added once, and replace nothing.
    if (present.subarray(first, end).indexOf(1) === -1) return;
    this.chunkCount += sign * countPresent(present.subarray(first, end));
    this.totalLength += sign * totalLength(present.subarray(first, end), lengths.subarray(first, end));
  }

  /** Grows once: growing block by block would copy everything for each of them. */
  #makeRoom(count: number): void {
    if (count <= this.present.length) return;
    this.present = grown(this.present, new Uint8Array(count));
    this.lengths = grown(this.lengths, new Uint16Array(count));
    this.groupNumbers = grown(this.groupNumbers, new Uint32Array(count));
  }

  #forget(generation: string): void {
    this.generation = generation;
    this.present = new Uint8Array(0);
    this.lengths = new Uint16Array(0);
    this.groupNumbers = new Uint32Array(0);
    this.chunkCount = 0;
    this.totalLength = 0;
    this.#forgetCodes();
  }

  #forgetCodes(): void {
    this.embedder = undefined;
    this.codes = undefined;
    this.codesRevision = 0;
    this.embeddedCount = 0;
  }
}

/** Flags are 0 or 1. */
function countPresent(flags: Uint8Array): number {
  if (flags.indexOf(0) === -1) return flags.length;
  let count = 0;
  for (let at = flags.indexOf(1); at !== -1; at = flags.indexOf(1, at + 1)) count += 1;
  return count;
}

function countDone(flags: Uint8Array): number {
  if (flags.indexOf(0) === -1) return flags.length;
  if (flags.indexOf(WITH_CODE) === -1 && flags.indexOf(NOTHING_TO_EMBED) === -1) return 0;
  return flags.reduce((count, flag) => (flag === 0 ? count : count + 1), 0);
}

/** One more than the highest chunk number in the blocks. */
function endOf(blocks: readonly { readonly number: number }[]): number {
  return blocks.reduce((end, { number }) => Math.max(end, (number + 1) * BLOCK_SIZE), 0);
}

function grown<Numbers extends Uint8Array | Uint16Array | Uint32Array>(
  numbers: Numbers,
  larger: Numbers,
): Numbers {
  larger.set(numbers);
  return larger;
}
