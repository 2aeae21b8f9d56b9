/** The messages between ken and the process of a guest. Each is sent as its length and its bytes. */

import { LONGEST_MESSAGE, REFUSAL_CODES } from '../component-error.ts';
import {
  ByteWriter,
  bool,
  bytes,
  list,
  oneOf,
  optional,
  record,
  text,
  u32,
  type ValueOf,
  variant,
  type Wire,
} from './codec.ts';
import { operation } from './operations.ts';

const MEBIBYTE = 1024 ** 2;

/** All texts of an outcome together, in bytes. */
export const LONGEST_OUTCOME = 32 * MEBIBYTE;
/** The texts of one outcome. */
export const MOST_TEXTS = 100_000;
/** The data of an outcome, which ken parses and checks: a list of empty lists takes a hundred times its own size. */
export const LONGEST_DATA = 4 * MEBIBYTE;
/** A component of a few hundred bytes can unfold into a million instances. */
export const LONGEST_GLUE = 16 * MEBIBYTE;
export const LARGEST_COMPONENT = 64 * MEBIBYTE;
const MOST_PARTS = 10_000;
const LONGEST_CODE = 64 * MEBIBYTE;

const longText = text(LONGEST_OUTCOME);
const shortText = text(LONGEST_MESSAGE);

const module = record({
  name: text(100),
  bytes: bytes(LARGEST_COMPONENT),
  memoryPages: u32(),
  tableEntries: u32(),
});
const modules = list(module, MOST_PARTS);

const outcome = variant({
  success: longText,
  error: record({ message: longText, trace: list(longText, MOST_TEXTS), transient: bool }),
  /** JSON of what one of the component's own functions returned. */
  data: text(LONGEST_DATA),
  'needs-input': record({ id: longText, text: longText, answerType: longText, default: optional(longText) }),
});

/** All bytes that a call printed, also those that are not kept, and the memory of the component if it started. */
const used = record({ stdoutBytes: u32(), stderrBytes: u32(), memoryBytes: optional(u32()) });
export type Used = ValueOf<typeof used>;

const refusal = record({
  code: oneOf(REFUSAL_CODES),
  message: shortText,
  hint: optional(shortText),
  /** Absent when no call was refused, but a component. */
  used: optional(used),
});

/** Output is sent in pieces of this size, and the first few pieces at once. */
export const PRINTED_BYTES = 16_384;
export const MOST_SMALL_PIECES = 200;

export const toRunner = variant({
  /** The component to run; the process serves no other. */
  load: record({
    glue: text(LONGEST_GLUE * 4),
    compiledGlue: optional(bytes(LONGEST_CODE)),
    modules,
    memoryPages: u32(),
    outputBytes: u32(),
  }),
  call: record({
    tool: longText,
    /** JSON of a function of the component's own world, which is called in place of `run`. */
    ownFunction: optional(longText),
    isRun: bool,
    argumentsJson: text(256 * MEBIBYTE),
    answersJson: text(256 * MEBIBYTE),
    root: longText,
    directories: list(record({ handle: u32(), guestPath: longText, canChange: bool }), MOST_PARTS),
    environment: list(record({ name: longText, value: longText }), MOST_PARTS),
  }),
  /** Answers the last operation; its wire depends on the operation. */
  answer: bytes(2 * MEBIBYTE),
  translate: record({ component: bytes(LARGEST_COMPONENT), memoryMib: u32() }),
});
export type ToRunner = ValueOf<typeof toRunner>;

export const fromRunner = variant({
  /** The process has started; nothing of a guest has reached it. */
  ready: record({ isConfined: bool }),
  /** With the code that V8 made of the glue, unless it was given some. */
  loaded: optional(bytes(LONGEST_CODE)),
  /** `dropped` are handles that the guest needs no longer. */
  ask: record({ dropped: list(u32(), MOST_PARTS), operation }),
  done: record({ outcome, used }),
  refused: refusal,
  translated: record({
    glue: text(LONGEST_GLUE * 4),
    modules,
    memoryPages: u32(),
  }),
  /** Output as the guest prints it, so that ken has it when the call is ended. */
  printed: record({ isError: bool, bytes: bytes(PRINTED_BYTES) }),
});
export type FromRunner = ValueOf<typeof fromRunner>;
export type Done = Extract<FromRunner, { tag: 'done' }>['val'];

/** The bytes before each message: its length. */
export const HEADER_BYTES = 4;

export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(HEADER_BYTES + message.length);
  framed.writeUInt32LE(message.length);
  framed.set(message, HEADER_BYTES);
  return framed;
}

/** A message in pieces, which together are its frame: large parts are not copied. */
export function framedParts<Value>(wire: Wire<Value>, value: Value): readonly Uint8Array[] {
  const out = new ByteWriter();
  wire.write(out, value);
  const [first = new Uint8Array(), ...others] = out.parts();
  const start = frame(first);
  start.writeUInt32LE(others.reduce((sum, part) => sum + part.length, first.length));
  return [start, ...others];
}
