import { readdirSync } from 'node:fs';
import { within } from '../../paths/anchor.ts';
import { attempt } from '../wire/error.ts';
import { ENTRIES_AT_ONCE } from '../wire/operations.ts';
import type { Directory } from './directory.ts';
import { type DescriptorType, descriptorType } from './file-facts.ts';
import type { OpenHandles } from './guest-files.ts';

interface DirectoryEntry {
  readonly type: DescriptorType;
  readonly name: string;
}

/** The entries of a directory in the system's order, without `.` and `..`, a bounded number at a time. */
export class DirectoryEntries {
  readonly #entries: readonly DirectoryEntry[];
  readonly #close: () => void;
  #next = 0;

  constructor(handles: OpenHandles, directory: Directory) {
    let entries: readonly DirectoryEntry[] = [];
    this.#close = handles.add(() => {
      entries = attempt(() => within(directory.anchor, '.', readEntries));
      return () => {};
    });
    this.#entries = entries;
  }

  take(): readonly DirectoryEntry[] {
    const start = this.#next;
    this.#next += ENTRIES_AT_ONCE;
    return this.#entries.slice(start, this.#next);
  }

  get isEnd(): boolean {
    return this.#next >= this.#entries.length;
  }

  release(): void {
    this.#close();
  }
}

/** Names that are not UTF-8 cannot be opened; they are listed with replacement characters and the type `unknown`. */
function readEntries(path: string): DirectoryEntry[] {
  const entries = readdirSync(path, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes('\ufffd'))) {
    return entries.map((entry) => ({ name: entry.name, type: descriptorType(entry) }));
  }
  return readdirSync(path, { withFileTypes: true, encoding: 'buffer' }).map((entry) => {
    const name = entry.name.toString();
    return { name, type: Buffer.from(name).equals(entry.name) ? descriptorType(entry) : 'unknown' };
  });
}
