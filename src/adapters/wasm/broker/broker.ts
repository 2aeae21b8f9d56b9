/**
 * The files and requests of one call, on ken's side. The process of the guest names what it holds by number and asks
 * for one operation at a time; each is checked against what was granted before it is carried out.
 */

import type { GrantedDirectory } from '../../../domain/tools/component-host.ts';
import { type Anchoring, systemAnchoring } from '../../paths/anchor.ts';
import { encode } from '../wire/codec.ts';
import { FileError } from '../wire/error.ts';
import {
  type Answered,
  type Asked,
  answerOf,
  type FileOperation,
  LONGEST_AHEAD,
  type Operation,
  type OperationName,
} from '../wire/operations.ts';
import { Descriptor } from './descriptor.ts';
import { DirectoryEntries } from './directory-entries.ts';
import { descriptorStat, metadataHash } from './file-facts.ts';
import { openGranted } from './grant.ts';
import { type GuestFiles, OpenHandles, Usage } from './guest-files.ts';
import { HttpExchange, HttpRequests, type NetworkGrant, NO_NETWORK } from './http-requests.ts';
import { linkedPlacesBelow } from './linked-places.ts';

/** The process of a guest did something that ken's own code in it never does. */
export class BrokerViolation extends Error {}

type Resource = Descriptor | DirectoryEntries | HttpExchange;

interface Granted {
  readonly handle: number;
  readonly guestPath: string;
  readonly canChange: boolean;
}

type Answer<Name extends OperationName> = Answered<Name> | Promise<Answered<Name>>;
type Operations = { readonly [Name in OperationName]: (asked: Asked<Name>) => Answer<Name> };

interface BrokerOptions {
  readonly anchoring?: Anchoring;
  /** No request is allowed when it is absent. */
  readonly network?: NetworkGrant;
}

/** Numbers are not used again in this process, so a number of an earlier call names nothing. */
let lastHandle = 0;

export class Broker {
  readonly granted: readonly Granted[];
  readonly #files: GuestFiles = { handles: new OpenHandles(), usage: new Usage() };
  readonly #resources = new Map<number, Resource>();
  readonly #operations: Operations;
  readonly #http: HttpRequests;

  /** Throws when a granted path is no directory. A directory that is absent is not granted. */
  constructor(
    directories: readonly GrantedDirectory[],
    { anchoring = systemAnchoring, network = NO_NETWORK }: BrokerOptions = {},
  ) {
    this.#http = new HttpRequests(network);
    this.#operations = this.#makeOperations();
    const linkedPlaces = once(linkedPlacesBelow);
    try {
      this.granted = directories.flatMap((each) => {
        const directory = openGranted(this.#files.handles, each, { anchoring, linkedPlaces });
        if (!directory) return [];
        const descriptor = new Descriptor(this.#files, directory);
        const { mutateDirectory: canChange } = descriptor.flags;
        return [{ handle: this.#hold(descriptor), guestPath: each.guestPath, canChange }];
      });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get usage(): Usage {
    return this.#files.usage;
  }

  get requests(): HttpRequests['made'] {
    return this.#http.made;
  }

  /**
   * Answers in bytes, with the result or the error for the guest. Throws a `BrokerViolation` for a foreign handle. Only
   * requests over HTTP, and waiting for the disk, take time.
   */
  perform(operation: FileOperation): Buffer;
  perform(operation: Operation): Buffer | Promise<Buffer>;
  perform(operation: Operation): Buffer | Promise<Buffer> {
    return this.#answer(operation.tag, operation.val);
  }

  drop(handle: number): void {
    this.#find(handle).release();
    this.#resources.delete(handle);
  }

  close(): void {
    this.#http.close();
    this.#resources.clear();
    this.#files.handles.closeAll();
  }

  #answer<Name extends OperationName>(name: Name, asked: Asked<Name>): Buffer | Promise<Buffer> {
    const wire = answerOf(name);
    const answer = (val: Answered<Name>) => encode(wire, { tag: 'ok', val });
    const failed = (error: unknown) => {
      if (!(error instanceof FileError)) throw error;
      return encode(wire, { tag: 'error', val: error.payload });
    };
    try {
      const answered = this.#operations[name](asked);
      return answered instanceof Promise ? answered.then(answer, failed) : answer(answered);
    } catch (error) {
      return failed(error);
    }
  }

  #makeOperations(): Operations {
    const at = (handle: number) => this.#descriptor(handle);
    return {
      open: (asked) => this.#open(asked),
      read: ({ handle, length, offset }) => at(handle).file().read(length, offset),
      write: ({ handle, bytes, offset }) => at(handle).file().write(bytes, offset),
      append: ({ handle, bytes }) => at(handle).file().append(bytes),
      sync: ({ handle, dataOnly }) => at(handle).sync(dataOnly),
      setSize: ({ handle, size }) => void at(handle).file().setSize(size),
      setTimes: ({ handle, accessed, modified }) => void at(handle).setTimes(accessed, modified),
      setTimesAt: ({ handle, accessed, modified, ...where }) =>
        void at(handle).setTimesAt(where, accessed, modified),
      readDirectory: ({ handle }) => this.#firstEntries(at(handle).entries()),
      readMoreEntries: ({ handle }) => this.#moreEntries(handle),
      createDirectoryAt: ({ handle, path }) => void at(handle).createDirectoryAt(path),
      removeDirectoryAt: ({ handle, path }) => void at(handle).removeDirectoryAt(path),
      unlinkFileAt: ({ handle, path }) => void at(handle).unlinkFileAt(path),
      renameAt: ({ handle, path, newHandle, newPath }) =>
        void at(handle).renameAt(path, at(newHandle), newPath),
      readlinkAt: ({ handle, path }) => at(handle).readlinkAt(path),
      stat: ({ handle }) => descriptorStat(at(handle).stat()),
      statAt: ({ handle, ...where }) => descriptorStat(at(handle).statAt(where)),
      isSameObject: ({ handle, other }) => at(handle).isSameObject(at(other)),
      metadataHash: ({ handle }) => metadataHash(at(handle).stat()),
      metadataHashAt: ({ handle, ...where }) => metadataHash(at(handle).statAt(where)),
      beginRequest: (asked) => this.#beginRequest(asked),
      writeBody: ({ handle, bytes }) => this.#exchange(handle).write(bytes),
      sendRequest: ({ handle }) => this.#exchange(handle).send(),
      readBody: ({ handle, length }) => this.#exchange(handle).read(length),
    };
  }

  #open(asked: Asked<'open'>): Answered<'open'> {
    const opened = this.#descriptor(asked.handle).open(asked);
    return { handle: this.#hold(opened), type: opened.type, flags: opened.flags, ahead: ahead(opened) };
  }

  #firstEntries(listing: DirectoryEntries): Answered<'readDirectory'> {
    return { listing: this.#hold(listing), entries: listing.take(), isEnd: listing.isEnd };
  }

  #moreEntries(handle: number): Answered<'readMoreEntries'> {
    const listing = this.#find(handle);
    if (!(listing instanceof DirectoryEntries)) throw new BrokerViolation('a handle of another kind');
    return { listing: handle, entries: listing.take(), isEnd: listing.isEnd };
  }

  #beginRequest(asked: Asked<'beginRequest'>): Answered<'beginRequest'> {
    const begun = this.#http.begin(asked);
    return begun instanceof HttpExchange
      ? { tag: 'ok', val: this.#hold(begun) }
      : { tag: 'failed', val: begun };
  }

  #exchange(handle: number): HttpExchange {
    const found = this.#find(handle);
    if (found instanceof HttpExchange) return found;
    throw new BrokerViolation('a handle of another kind');
  }

  #hold(resource: Resource): number {
    lastHandle += 1;
    this.#resources.set(lastHandle, resource);
    return lastHandle;
  }

  #descriptor(handle: number): Descriptor {
    const found = this.#find(handle);
    if (found instanceof Descriptor) return found;
    throw new BrokerViolation('a handle of another kind');
  }

  #find(handle: number): Resource {
    const found = this.#resources.get(handle);
    if (found) return found;
    throw new BrokerViolation('a handle that is not open');
  }
}

/** Looks once for each base: several paths of a workspace may be granted. */
function once<Value>(find: (base: string) => Value): (base: string) => Value {
  const found = new Map<string, Value>();
  return (base) => {
    const known = found.get(base) ?? find(base);
    found.set(base, known);
    return known;
  };
}

/** Saves two questions for each small file that a guest reads. What is sent counts as read. */
function ahead(opened: Descriptor): Answered<'open'>['ahead'] {
  if (opened.type !== 'regular-file' || !opened.flags.read || opened.flags.write) return undefined;
  const stats = opened.stat();
  if (stats.size > LONGEST_AHEAD) return undefined;
  const content = opened.file().read(LONGEST_AHEAD, 0n);
  return BigInt(content.length) === stats.size ? { stat: descriptorStat(stats), content } : undefined;
}
