/** The run is not in the table and may be remembered. */
export const UNKNOWN = -1;
/** The run must not be remembered: the table is full, or someone chose runs whose hashes collide. */
export const CROWDED = -2;

const MAX_PROBES = 64;
const MAX_RUNS = 1 << 19;

/** Maps runs of text to lists of numbers, by open addressing, so that no string is made for a known run. */
export class RunTable {
  #slots = new Int32Array(1 << 14).fill(-1);
  #hashes = new Int32Array(1 << 12);
  /** Start of the units of each run in `#units`; one more entry than runs. */
  #unitStarts = new Int32Array((1 << 12) + 1);
  #units = new Uint16Array(1 << 15);
  #valueStarts = new Int32Array((1 << 12) + 1);
  #values = new Int32Array(1 << 13);
  #size = 0;

  /** Returns the run, `UNKNOWN` or `CROWDED`. `hash` must be made of its units alone. */
  find(text: string, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = spread(hash) & mask;
    for (let probes = 0; probes < MAX_PROBES; probes++) {
      const run = this.#slots[slot] as number;
      if (run < 0) return this.#size < MAX_RUNS ? UNKNOWN : CROWDED;
      if (this.#hashes[run] === hash && this.#isSame(run, text, start, end)) return run;
      slot = (slot + 1) & mask;
    }
    return CROWDED;
  }

  /** Only after `find` has returned `UNKNOWN`. */
  remember(text: string, start: number, end: number, hash: number, values: readonly number[]): number {
    const run = this.#size++;
    this.#makeRoom(end - start, values.length);
    this.#hashes[run] = hash;
    let unit = this.#unitStarts[run] ?? 0;
    for (let at = start; at < end; at++) this.#units[unit++] = text.charCodeAt(at);
    this.#unitStarts[run + 1] = unit;
    const first = this.#valueStarts[run] ?? 0;
    this.#values.set(values, first);
    this.#valueStarts[run + 1] = first + values.length;
    this.#place(run);
    return run;
  }

  /** Start and end of a run's numbers, for `value`. */
  start(run: number): number {
    return this.#valueStarts[run] as number;
  }

  end(run: number): number {
    return this.#valueStarts[run + 1] as number;
  }

  value(at: number): number {
    return this.#values[at] as number;
  }

  #isSame(run: number, text: string, start: number, end: number): boolean {
    let unit = this.#unitStarts[run] as number;
    if ((this.#unitStarts[run + 1] as number) - unit !== end - start) return false;
    for (let at = start; at < end; at++) if (this.#units[unit++] !== text.charCodeAt(at)) return false;
    return true;
  }

  #makeRoom(units: number, values: number): void {
    if (this.#size > this.#hashes.length) {
      this.#hashes = doubled(this.#hashes);
      this.#unitStarts = grown(this.#unitStarts, this.#hashes.length + 1);
      this.#valueStarts = grown(this.#valueStarts, this.#hashes.length + 1);
    }
    while ((this.#unitStarts[this.#size - 1] ?? 0) + units > this.#units.length)
      this.#units = doubled(this.#units);
    while ((this.#valueStarts[this.#size - 1] ?? 0) + values > this.#values.length)
      this.#values = doubled(this.#values);
    if (this.#size * 2 > this.#slots.length) {
      this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
      for (let run = 0; run < this.#size - 1; run++) this.#place(run);
    }
  }

  #place(run: number): void {
    const mask = this.#slots.length - 1;
    let slot = spread(this.#hashes[run] ?? 0) & mask;
    while ((this.#slots[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
    this.#slots[slot] = run;
  }
}

function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}

export function doubled<Numbers extends Int32Array | Uint16Array>(numbers: Numbers): Numbers {
  return grown(numbers, numbers.length * 2);
}

function grown<Numbers extends Int32Array | Uint16Array>(numbers: Numbers, length: number): Numbers {
  const larger = (
    numbers instanceof Int32Array ? new Int32Array(length) : new Uint16Array(length)
  ) as Numbers;
  larger.set(numbers);
  return larger;
}
