import type { IndexStore, ItemFilter, Snapshot } from '../index/index-store.ts';
import { IndexView } from './index-view.ts';

/** 16 MiB at 256 dimensions. */
const MAX_KEPT_VECTORS = 65_536;

export class IndexReader {
  readonly store: IndexStore;
  readonly view = new IndexView();
  #last: Promise<unknown> = Promise.resolve();
  /** A number is never reused, so the vector of a chunk never changes. */
  #vectors = new Map<number, Int8Array>();
  #vectorsOf = '';

  constructor(store: IndexStore) {
    this.store = store;
  }

  /** Brings `view` up to date. One at a time: an earlier snapshot must not overwrite a later one. */
  refresh(request: SnapshotOptions): Promise<Snapshot> {
    const answer = this.#last.then(() => this.#refresh(request));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async vectors(numbers: readonly number[]): Promise<ReadonlyMap<number, Int8Array>> {
    const owner = `${this.view.generation} ${this.view.embedder?.fingerprint}`;
    if (owner !== this.#vectorsOf) this.#vectors = new Map();
    this.#vectorsOf = owner;
    const kept = this.#vectors;
    const missing = numbers.filter((number) => !kept.has(number));
    const found = new Map(missing.length > 0 ? await this.store.vectors(missing) : []);
    for (const [number, vector] of found) kept.set(number, vector);
    for (const number of numbers) {
      const vector = kept.get(number);
      if (vector) found.set(number, vector);
    }
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT_VECTORS) break;
      kept.delete(oldest);
    }
    return found;
  }

  async #refresh({ terms, filter, wantsCodes }: SnapshotOptions): Promise<Snapshot> {
    const snapshot = await this.store.snapshot({ known: this.view.known(wantsCodes), terms, filter });
    this.view.update(snapshot, wantsCodes);
    return snapshot;
  }
}

export interface SnapshotOptions {
  readonly terms: readonly string[];
  readonly filter: ItemFilter | undefined;
  readonly wantsCodes: boolean;
}
