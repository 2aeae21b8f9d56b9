import { type Dir, type Dirent, opendirSync } from 'node:fs';
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

/** How many entries the system reads ahead. */
const READ_AHEAD = 100;

/**
 * The entries of a directory in the system's order, without `.` and `..`. They are read when they are asked for: a
 * guest may open many listings of a large directory.
 */
export class DirectoryEntries {
  readonly #directory: Dir;
  readonly #close: () => void;
  #isEnd = false;

  constructor(handles: OpenHandles, directory: Directory) {
    let opened: Dir | undefined;
    this.#close = handles.add(() => {
      const listing = attempt(() => within(directory.anchor, '.', openListing));
      opened = listing;
      // Where the system does not say what an entry is, Node looks it up by the directory's path.
      const held = directory.handle.hold();
      return () => {
        listing.closeSync();
        held.release();
      };
    });
    if (!opened) throw new Error('a listing was not opened');
    this.#directory = opened;
  }

  take(): readonly DirectoryEntry[] {
    const taken: DirectoryEntry[] = [];
    while (!this.#isEnd && taken.length < ENTRIES_AT_ONCE) {
      const entry = attempt(() => this.#directory.readSync());
      if (entry) taken.push(entryOf(entry));
      else this.#isEnd = true;
    }
    return taken;
  }

  get isEnd(): boolean {
    return this.#isEnd;
  }

  release(): void {
    this.#close();
  }
}

/** Names are read as bytes, which the types of Node do not know. */
function openListing(path: string): Dir {
  return opendirSync(path, { encoding: 'buffer' as BufferEncoding, bufferSize: READ_AHEAD });
}

/** Names that are not UTF-8 cannot be opened; they are listed with replacement characters and the type `unknown`. */
function entryOf(entry: Dirent<string | Buffer>): DirectoryEntry {
  const bytes = Buffer.from(entry.name);
  const name = bytes.toString();
  const isText = !name.includes('\ufffd') || Buffer.from(name).equals(bytes);
  return { name, type: isText ? descriptorType(entry) : 'unknown' };
}
