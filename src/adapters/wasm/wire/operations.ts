/** The operations on files and requests over HTTP that the process of a guest may ask of ken, one message each. */

import {
  bool,
  bytes,
  type CaseOf,
  list,
  nothing,
  oneOf,
  optional,
  record,
  text,
  u32,
  u64,
  type ValueOf,
  variant,
  type Wire,
} from './codec.ts';
import { ERROR_CODES, HTTP_ERRORS } from './error.ts';

/** The most bytes of one read or write. */
export const LONGEST_TRANSFER = 1024 ** 2;
/** In UTF-16 units; ken answers `name-too-long` itself to what is longer and still fits the wire. */
export const LONGEST_PATH = 4096;
/** The largest file that is sent when it is opened. */
export const LONGEST_AHEAD = 65_536;
/** The entries of a directory in one message. */
export const ENTRIES_AT_ONCE = 1000;

/** The headers of one request or response. */
export const MOST_HEADERS = 1000;
export const LONGEST_HEADER_NAME = 1000;
/** In bytes. */
export const LONGEST_ADDRESS = 8192;

/** A number in the table that ken holds for one call. */
const handle = u32();
const path = text(LONGEST_PATH * 3);
const name = text(1024);

export const DESCRIPTOR_TYPES = [
  'block-device',
  'character-device',
  'directory',
  'fifo',
  'regular-file',
  'socket',
  'symbolic-link',
  'unknown',
] as const;

const datetime = record({ seconds: u64, nanoseconds: u32(999_999_999) });
const newTimestamp = variant({ 'no-change': nothing, now: nothing, timestamp: datetime });
const openFlags = record({ create: bool, directory: bool, exclusive: bool, truncate: bool });
const descriptorFlags = record({ read: bool, write: bool, mutateDirectory: bool });
const type = oneOf(DESCRIPTOR_TYPES);
const stat = record({
  type,
  linkCount: u64,
  size: u64,
  dataAccessTimestamp: datetime,
  dataModificationTimestamp: datetime,
  statusChangeTimestamp: datetime,
});
const hash = record({ lower: u64, upper: u64 });
const entries = record({
  /** Names the listing, until the guest drops it. */
  listing: handle,
  isEnd: bool,
  entries: list(record({ type, name }), ENTRIES_AT_ONCE),
});

const headers = list(record({ name: text(LONGEST_HEADER_NAME), value: bytes(65_536) }), MOST_HEADERS);
/** A failure of HTTP is an answer: its errors are not those of files. */
const http = <Value>(wire: Wire<Value>) => variant({ ok: wire, failed: oneOf(HTTP_ERRORS) });

const at = { handle, path };
const followed = { ...at, follow: bool };

/** Each with what is asked and what is answered. */
export const OPERATIONS = {
  open: {
    asks: record({ ...followed, how: openFlags, wanted: descriptorFlags }),
    /** With what a guest asks for next, of a small file that is only read. */
    answers: record({
      handle,
      type,
      flags: descriptorFlags,
      ahead: optional(record({ stat, content: bytes(LONGEST_AHEAD) })),
    }),
  },
  read: {
    asks: record({ handle, length: u32(LONGEST_TRANSFER), offset: u64 }),
    answers: bytes(LONGEST_TRANSFER),
  },
  write: {
    asks: record({ handle, offset: u64, bytes: bytes(LONGEST_TRANSFER) }),
    answers: u32(LONGEST_TRANSFER),
  },
  append: { asks: record({ handle, bytes: bytes(LONGEST_TRANSFER) }), answers: u32(LONGEST_TRANSFER) },
  sync: { asks: record({ handle, dataOnly: bool }), answers: nothing },
  setSize: { asks: record({ handle, size: u64 }), answers: nothing },
  setTimes: { asks: record({ handle, accessed: newTimestamp, modified: newTimestamp }), answers: nothing },
  setTimesAt: {
    asks: record({ ...followed, accessed: newTimestamp, modified: newTimestamp }),
    answers: nothing,
  },
  readDirectory: { asks: record({ handle }), answers: entries },
  readMoreEntries: { asks: record({ handle }), answers: entries },
  createDirectoryAt: { asks: record(at), answers: nothing },
  removeDirectoryAt: { asks: record(at), answers: nothing },
  unlinkFileAt: { asks: record(at), answers: nothing },
  renameAt: { asks: record({ ...at, newHandle: handle, newPath: path }), answers: nothing },
  readlinkAt: { asks: record(at), answers: path },
  stat: { asks: record({ handle }), answers: stat },
  statAt: { asks: record(followed), answers: stat },
  isSameObject: { asks: record({ handle, other: handle }), answers: bool },
  metadataHash: { asks: record({ handle }), answers: hash },
  metadataHashAt: { asks: record(followed), answers: hash },
  beginRequest: {
    asks: record({ method: text(100), address: text(LONGEST_ADDRESS), headers }),
    answers: http(handle),
  },
  writeBody: { asks: record({ handle, bytes: bytes(LONGEST_TRANSFER) }), answers: http(nothing) },
  /** Sends the request and waits for the head of the response. */
  sendRequest: { asks: record({ handle }), answers: http(record({ status: u32(999), headers })) },
  /** No bytes at the end. */
  readBody: {
    asks: record({ handle, length: u32(LONGEST_TRANSFER) }),
    answers: http(bytes(LONGEST_TRANSFER)),
  },
} as const;

/** Operations after which nothing that was sent ahead is used. */
export const CHANGES: ReadonlySet<string> = new Set([
  ...['write', 'append', 'setSize', 'setTimes', 'setTimesAt', 'createDirectoryAt', 'removeDirectoryAt'],
  ...['unlinkFileAt', 'renameAt'],
]);

export type OperationName = keyof typeof OPERATIONS;
export type Asked<Name extends OperationName> = ValueOf<(typeof OPERATIONS)[Name]['asks']>;
export type Answered<Name extends OperationName> = ValueOf<(typeof OPERATIONS)[Name]['answers']>;

type Asks = { readonly [Name in OperationName]: (typeof OPERATIONS)[Name]['asks'] };
export type Operation = CaseOf<Asks>;
/** An operation that is answered at once. */
export type FileOperation = Exclude<
  Operation,
  { readonly tag: 'sync' | 'beginRequest' | 'writeBody' | 'sendRequest' | 'readBody' }
>;

export const operation = variant(
  Object.fromEntries(Object.entries(OPERATIONS).map(([name, { asks }]) => [name, asks])) as Asks,
);

/** An answer to one operation, or the error that the guest gets. */
export function answerOf<Name extends OperationName>(name: Name) {
  return variant({ ok: OPERATIONS[name].answers, error: oneOf(ERROR_CODES) });
}
