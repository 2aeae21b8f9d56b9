import { type Dir, opendirSync } from 'node:fs';
import { within } from './anchor.ts';
import type { Directory } from './directory.ts';
import { attempt } from './error.ts';
import { type DescriptorType, descriptorType } from './file-facts.ts';
import type { OpenHandles } from './open-handles.ts';

export interface DirectoryEntry {
  readonly type: DescriptorType;
  readonly name: string;
}

/** `wasi:filesystem/types.directory-entry-stream`: in the order the system has them, without `.` and `..`. */
export class DirectoryEntryStream {
  readonly #entries: Dir;
  readonly #close: () => void;

  constructor(handles: OpenHandles, directory: Directory) {
    let entries: Dir | undefined;
    this.#close = handles.add(() => {
      const opened = attempt(() => within(directory.anchor, '.', (path) => opendirSync(path)));
      entries = opened;
      return () => opened.closeSync();
    });
    if (!entries) throw new Error('a directory was opened and is not there');
    this.#entries = entries;
  }

  readDirectoryEntry(): DirectoryEntry | undefined {
    const entry = attempt(() => this.#entries.readSync());
    return entry ? { type: descriptorType(entry), name: entry.name } : undefined;
  }

  [Symbol.dispose](): void {
    this.#close();
  }
}
