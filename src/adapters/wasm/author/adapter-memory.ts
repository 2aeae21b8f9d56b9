/**
 * Gives a core module a function by which the adapter to WASI 0.2 takes memory. The adapter would take `cabi_realloc`,
 * which a program with a runtime of its own, like one in Go, cannot offer before it has started; and to start, it needs
 * WASI. Nor may it grow the memory, which such a runtime takes to be its own. So the program reserves a place.
 */

import { Fault } from '../../../base/fault.ts';
import { ByteReader, unsignedBytes } from '../types/byte-reader.ts';

/** The first bytes of the place, as ken_tool.go writes them. */
const MARK = Buffer.from('ken: memory of the adapter');
/** In the place: how much of the rest is taken, then the rest. */
const [TAKEN_AT, REST_AT, REST_BYTES] = [32, 64, 2 * 65_536];

/** The name under which wasm-tools looks for the function. */
const NAME = Buffer.from('cabi_realloc_adapter');
const [TYPE, IMPORT, FUNCTION, EXPORT, CODE, DATA] = [1, 2, 3, 7, 10, 11];
const SIGNATURE = Buffer.from([0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 1, 0x7f]);

export function withAdapterMemory(module: Uint8Array): Uint8Array {
  const sections = [...sectionsOf(module)];
  const count = (wanted: number) => sections.find(({ id }) => id === wanted)?.content.unsigned() ?? 0;
  // Programs for WASI 0.1 import functions alone.
  const functions = count(IMPORT) + count(FUNCTION);
  const added: Readonly<Record<number, Uint8Array>> = {
    [TYPE]: SIGNATURE,
    [FUNCTION]: unsignedBytes(count(TYPE)),
    [EXPORT]: Buffer.concat([Buffer.of(NAME.length), NAME, Buffer.of(0), unsignedBytes(functions)]),
    [CODE]: sized(bodyFor(placeIn(module))),
  };
  const parts = [...sectionsOf(module)].map(({ id, whole, content }) => {
    const entry = added[id];
    return entry ? appended(id, content, entry) : whole;
  });
  return Buffer.concat([module.subarray(0, 8), ...parts]);
}

interface Section {
  readonly id: number;
  readonly whole: Uint8Array;
  readonly content: ByteReader;
}

function* sectionsOf(module: Uint8Array): Generator<Section> {
  const reader = new ByteReader(module, { at: 8, end: module.length });
  while (!reader.isDone) {
    const start = reader.at;
    const id = reader.byte();
    const content = reader.part(reader.unsigned());
    yield { id, whole: module.subarray(start, reader.at), content };
  }
}

/** Where the place will be in memory. */
function placeIn(module: Uint8Array): number {
  const data = [...sectionsOf(module)].find(({ id }) => id === DATA)?.content;
  let place: number | undefined;
  data?.each((segment) => {
    // An active segment of the only memory: a constant, and its end.
    if (segment.unsigned() !== 0 || segment.byte() !== 0x41) return;
    const offset = signed(segment);
    segment.byte();
    const content = segment.part(segment.unsigned());
    const found = Buffer.from(content.bytes.subarray(content.at, content.end)).indexOf(MARK);
    if (found >= 0) place = offset + found;
  });
  if (place !== undefined) return place;
  throw new Fault('tools/build', 'The module has no place for the memory of the adapter.', {
    hint: 'Keep "adapterMemory" of ken_tool.go as it is.',
  });
}

function signed(reader: ByteReader): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = reader.byte();
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return shift < 25 && (byte & 0x40) !== 0 ? value | (-1 << (shift + 7)) : value;
  }
}

function signedBytes(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    const low = rest & 0x7f;
    const isLast = (rest >> 7 === 0 && (low & 0x40) === 0) || (rest >> 7 === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return Uint8Array.from(bytes);
  }
}

/** Gives out the place from its beginning, and traps when it is full. Parameters 0 and 1 are used as variables. */
function bodyFor(place: number): Uint8Array {
  const constant = (value: number) => [0x41, ...signedBytes(value)];
  return Uint8Array.from([
    ...[0, ...constant(place), 0x28, 2, TAKEN_AT, 0x22, 0], // taken
    ...[0x20, 3, 0x6a, 0x22, 1, ...constant(REST_BYTES), 0x4b, 0x04, 0x40, 0x00, 0x0b], // if taken + size > all, trap
    ...[...constant(place), 0x20, 1, 0x36, 2, TAKEN_AT],
    ...[0x20, 0, ...constant(place + REST_AT), 0x6a, 0x0b],
  ]);
}

function sized(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([unsignedBytes(bytes.length), bytes]);
}

/** The section with one more entry at its end. */
function appended(id: number, content: ByteReader, entry: Uint8Array): Uint8Array {
  const count = content.unsigned();
  const rest = content.bytes.subarray(content.at, content.end);
  return Buffer.concat([Buffer.of(id), sized(Buffer.concat([unsignedBytes(count + 1), rest, entry]))]);
}
