import { readdirSync } from 'node:fs';
import { within } from './anchor.ts';
import type { Directory } from './directory.ts';
import { attempt } from './error.ts';
import { type DescriptorType, descriptorType } from './file-facts.ts';
import type { OpenHandles } from './guest-files.ts';

export interface DirectoryEntry {
  readonly type: DescriptorType;
  readonly name: string;
}

/** `wasi:filesystem/types.directory-entry-stream`: entries in the system's order, without `.` and `..`. */
export class DirectoryEntryStream {
  readonly #entries: readonly DirectoryEntry[];
  readonly #drop: () => void;
  #next = 0;

  constructor(handles: OpenHandles, directory: Directory) {
    let entries: readonly DirectoryEntry[] = [];
    this.#drop = handles.add(() => {
      entries = attempt(() => within(directory.anchor, '.', readEntries));
      return () => {};
    });
    this.#entries = entries;
  }

  readDirectoryEntry(): DirectoryEntry | undefined {
    const entry = this.#entries[this.#next];
    this.#next += 1;
    return entry;
  }

  [Symbol.dispose](): void {
    this.#drop();
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
