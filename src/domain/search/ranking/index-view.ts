/** What this process knows of one index, kept up to date by asking for what has changed since. */

import { BLOCK_SIZE, type ChunkBlock, WITH_CODE } from '../chunk-blocks.ts';
import type { EmbedderKey, Group, Known, Look } from '../index-store.ts';
import { CodeTable } from '../vectors/code-table.ts';
import { normalised } from '../vectors/quantise.ts';

/** Chunks looked at for the direction of a group; more would not change it. */
const DIRECTION_SAMPLE = 1024;

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
  /** How many chunks have been embedded, those without words included. */
  embeddedCount = 0;
  readonly #directions = new Map<number, Float32Array>();

  /** Where the chunks of a group point together, as a vector of length 1; nothing when they have no vectors. */
  groupDirection(group: number): Float32Array | undefined {
    const known = this.#directions.get(group);
    if (known || !this.codes || !this.embedder) return known;
    const sample = spread(this.#codedChunks(group, this.codes.present), DIRECTION_SAMPLE);
    const direction = normalised(this.codes.direction(sample, this.embedder.dimension));
    if (direction) this.#directions.set(group, direction);
    return direction;
  }

  known(wantsCodes: boolean): Known {
    return {
      generation: this.generation,
      revision: this.revision,
      codesRevision: wantsCodes ? this.codesRevision : undefined,
    };
  }

  /** `look` answers a request with what `known` said. */
  update(look: Look, hasCodes: boolean): void {
    if (look.generation !== this.generation) this.#forget(look.generation);
    this.revision = look.revision;
    this.groups = new Map(look.groups.map((group) => [group.number, group]));
    for (const block of look.chunkBlocks) this.#putChunks(block);
    if (look.embedder?.fingerprint !== this.embedder?.fingerprint) this.#forgetCodes();
    this.embedder = look.embedder;
    if (!look.embedder || !hasCodes) return;
    this.codesRevision = look.revision;
    if (look.codeBlocks.length > 0) this.#directions.clear();
    this.codes ??= new CodeTable(look.embedder.dimension);
    for (const block of look.codeBlocks) {
      this.embeddedCount -= countDone(this.codes.present, block.number * BLOCK_SIZE);
      this.codes.put(block);
      this.embeddedCount += countDone(block.present, 0);
    }
  }

  #codedChunks(group: number, coded: Uint8Array): number[] {
    const members: number[] = [];
    for (let chunk = 0; chunk < coded.length; chunk++) {
      if (this.groupNumbers[chunk] === group && coded[chunk] === WITH_CODE) members.push(chunk);
    }
    return members;
  }

  #putChunks({ number, present, lengths, groups }: ChunkBlock): void {
    const first = number * BLOCK_SIZE;
    if (first + BLOCK_SIZE > this.present.length) this.#grow(first + BLOCK_SIZE);
    this.#count(first, -1);
    this.present.set(present, first);
    this.lengths.set(lengths, first);
    this.groupNumbers.set(groups, first);
    this.#count(first, 1);
  }

  #count(first: number, sign: 1 | -1): void {
    for (let chunk = first; chunk < first + BLOCK_SIZE; chunk++) {
      if (this.present[chunk] !== 1) continue;
      this.chunkCount += sign;
      this.totalLength += sign * (this.lengths[chunk] as number);
    }
  }

  #grow(count: number): void {
    const { present, lengths, groupNumbers } = this;
    this.present = new Uint8Array(count);
    this.present.set(present);
    this.lengths = new Uint16Array(count);
    this.lengths.set(lengths);
    this.groupNumbers = new Uint32Array(count);
    this.groupNumbers.set(groupNumbers);
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
    this.#directions.clear();
  }
}

/** At most `count`, evenly spread. */
function spread(numbers: readonly number[], count: number): number[] {
  const step = Math.max(1, numbers.length / count);
  const size = Math.min(count, numbers.length);
  return Array.from({ length: size }, (_, at) => numbers[Math.floor(at * step)] as number);
}

function countDone(flags: Uint8Array, first: number): number {
  let count = 0;
  for (let at = first; at < Math.min(first + BLOCK_SIZE, flags.length); at++) if (flags[at] !== 0) count += 1;
  return count;
}
