/**
 * The JavaScript engine of componentize-qjs with a fixed clock and a fixed seed while the compiler runs the script and
 * takes the snapshot, so that the same source gives the same bytes. The real ones are used from then on.
 */

import { ByteReader, damaged, unsignedBytes } from '../types/byte-reader.ts';
import { checkInstruction, checkLocals } from '../types/core-features.ts';

const PREAMBLE = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);
const SECTION = { types: 1, imports: 2, functions: 3, globals: 6, exports: 7, code: 10 } as const;
const OPCODE = {
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  call: 0x10,
  localGet: 0x20,
  globalGet: 0x23,
  globalSet: 0x24,
  storeI64: 0x37,
  constI32: 0x41,
  constI64: 0x42,
} as const;
const I32 = 0x7f;
const I64 = 0x7e;
const NOTHING = 0x40;

/** `compiler` is the native part of componentize-qjs, which contains its engines as they are. */
export function fixedRuntime(compiler: Uint8Array): Uint8Array {
  const engines = modulesIn(compiler).filter(isSynchronous);
  // Half the code to compile at a cold start, for a third more time of each call.
  const [smallest] = engines.sort((one, other) => one.length - other.length);
  if (!smallest) throw new Error('this version of componentize-qjs has no engine that ken knows');
  return fix(smallest);
}

const SMALLEST_ENGINE = 100_000;

/** The core modules that lie in a file, one after the other. */
function modulesIn(file: Uint8Array): Uint8Array[] {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  const modules: Uint8Array[] = [];
  for (let at = bytes.indexOf(PREAMBLE); at >= 0; at = bytes.indexOf(PREAMBLE, at + 1)) {
    const end = endOfModule(bytes, at);
    if (end - at >= SMALLEST_ENGINE) modules.push(bytes.subarray(at, end));
  }
  return modules;
}

const LAST_SECTION = 13;

/** The end of the last section that is whole. A custom section is whole if its name fits in. */
function endOfModule(bytes: Uint8Array, start: number): number {
  let end = start + PREAMBLE.length;
  try {
    for (;;) {
      const reader = new ByteReader(bytes, { at: end, end: bytes.length });
      const section = reader.byte();
      if (section > LAST_SECTION) return end;
      const content = reader.part(reader.unsigned());
      if (section === 0 && content.name() === '') return end;
      end = reader.at;
    }
  } catch {
    return end;
  }
}

/** True for an engine that does not use the asynchronous part of the component model. */
function isSynchronous(module: Uint8Array): boolean {
  const { imports, exports } = sectionsOf(module);
  return (
    exports.some(({ name }) => name === INIT) && !imports.some(({ name }) => name.startsWith('[waitable'))
  );
}

interface Section {
  readonly id: number;
  readonly start: number;
  readonly content: ByteReader;
  readonly end: number;
}

interface Imported {
  /** Without its version. */
  readonly module: string;
  readonly name: string;
  readonly kind: number;
  readonly type: number;
}

interface Exported {
  readonly name: string;
  readonly kind: number;
  readonly index: number;
}

interface Sections {
  readonly all: readonly Section[];
  readonly imports: readonly Imported[];
  readonly exports: readonly Exported[];
}

function sectionsOf(module: Uint8Array): Sections {
  const reader = new ByteReader(module, { at: PREAMBLE.length, end: module.length });
  const all: Section[] = [];
  while (!reader.isDone) {
    const start = reader.at;
    const id = reader.byte();
    const content = reader.part(reader.unsigned());
    all.push({ id, start, content, end: reader.at });
  }
  return {
    all,
    imports: contentOf(all, SECTION.imports).list(readImport),
    exports: contentOf(all, SECTION.exports).list((entry) => ({
      name: entry.name(),
      kind: entry.byte(),
      index: entry.unsigned(),
    })),
  };
}

/** A reader of its own, which begins at the section's content. */
function contentOf(sections: readonly Section[], id: number): ByteReader {
  const content = sections.find((section) => section.id === id)?.content;
  if (!content) throw damaged();
  return content.from(content.at, content.end);
}

function readImport(reader: ByteReader): Imported {
  const module = reader.name().replace(/@.*/, '');
  const name = reader.name();
  const kind = reader.byte();
  if (kind === 0) return { module, name, kind, type: reader.unsigned() };
  if (kind === 3 || kind === 1) reader.byte();
  const flags = reader.byte();
  if (kind === 3) return { module, name, kind, type: 0 };
  reader.unsigned();
  if ((flags & 1) !== 0) reader.unsigned();
  return { module, name, kind, type: 0 };
}

/** Called once by the compiler, with the script. */
const INIT = 'init';

/** The imports that are replaced until INIT has returned, and whether they write two numbers or return one. */
const FIXED: Readonly<Record<string, 'in memory' | 'returned'>> = {
  'wasi:random/insecure-seed insecure-seed': 'in memory',
  'wasi:clocks/wall-clock now': 'in memory',
  'wasi:clocks/monotonic-clock now': 'returned',
};

interface AddedFunction {
  readonly type: number;
  readonly body: Uint8Array;
}

function fix(module: Uint8Array): Uint8Array {
  const { all, imports, exports } = sectionsOf(module);
  const importedFunctions = imports.filter(({ kind }) => kind === 0);
  const functions = contentOf(all, SECTION.functions).list((reader) => reader.unsigned());
  const init = exports.find(({ name, kind }) => name === INIT && kind === 0);
  const initType = init && functions[init.index - importedFunctions.length];
  if (!init || initType === undefined) throw damaged();

  const globals = contentOf(all, SECTION.globals).unsigned();
  const isReady = imports.filter(({ kind }) => kind === 3).length + globals;
  const firstAdded = importedFunctions.length + functions.length;
  const added: AddedFunction[] = [];
  const replacements = new Map<number, number>();
  for (const [index, { module: from, name, type }] of importedFunctions.entries()) {
    const how = FIXED[`${from} ${name}`];
    if (!how) continue;
    replacements.set(index, firstAdded + added.length);
    added.push({ type, body: fixedUntil(isReady, index, how) });
  }
  const parameters = parameterCount(contentOf(all, SECTION.types), initType);
  const newInit = firstAdded + added.length;
  added.push({ type: initType, body: initThenReady(init.index, parameters, isReady) });

  const entries = contentOf(all, SECTION.globals);
  entries.unsigned();
  const rewritten: Readonly<Record<number, Uint8Array>> = {
    [SECTION.functions]: vector([...functions, ...added.map(({ type }) => type)].map(unsignedBytes)),
    [SECTION.globals]: Buffer.concat([
      unsignedBytes(globals + 1),
      module.subarray(entries.at, entries.end),
      Uint8Array.of(I32, 1, OPCODE.constI32, 0, OPCODE.end),
    ]),
    [SECTION.exports]: vector(
      exports.map(({ name, kind, index }) =>
        Buffer.concat([
          text(name),
          Uint8Array.of(kind),
          unsignedBytes(kind === 0 && index === init.index ? newInit : index),
        ]),
      ),
    ),
    [SECTION.code]: vector([
      ...callsReplaced(contentOf(all, SECTION.code), replacements),
      ...added.map(({ body }) => sized(body)),
    ]),
  };
  const parts = all.map(({ id, start, end }) => {
    const content = rewritten[id];
    return content ? Buffer.concat([Uint8Array.of(id), sized(content)]) : module.subarray(start, end);
  });
  return Buffer.concat([PREAMBLE, ...parts]);
}

function parameterCount(types: ByteReader, index: number): number {
  const counts = types.list((reader) => {
    reader.byte();
    const parameters = reader.list((each) => each.byte()).length;
    reader.each((each) => each.byte());
    return parameters;
  });
  return counts[index] ?? 0;
}

/** `if (isReady) import() else fixed`. */
function fixedUntil(isReady: number, index: number, how: 'in memory' | 'returned'): Uint8Array {
  const call = [OPCODE.call, ...unsignedBytes(index)];
  const store = (offset: number) => [OPCODE.localGet, 0, OPCODE.constI64, 1, OPCODE.storeI64, 3, offset];
  const [blockType, real, fixed] =
    how === 'in memory'
      ? [NOTHING, [OPCODE.localGet, 0, ...call], [...store(0), ...store(8)]]
      : [I64, call, [OPCODE.constI64, 1]];
  return Uint8Array.from([
    0, // locals
    OPCODE.globalGet,
    ...unsignedBytes(isReady),
    OPCODE.if,
    blockType,
    ...real,
    OPCODE.else,
    ...fixed,
    OPCODE.end,
    OPCODE.end,
  ]);
}

function initThenReady(init: number, parameters: number, isReady: number): Uint8Array {
  const given = Array.from({ length: parameters }, (_, at) => [OPCODE.localGet, ...unsignedBytes(at)]);
  return Uint8Array.from([
    0, // locals
    ...given.flat(),
    OPCODE.call,
    ...unsignedBytes(init),
    OPCODE.constI32,
    1,
    OPCODE.globalSet,
    ...unsignedBytes(isReady),
    OPCODE.end,
  ]);
}

function callsReplaced(code: ByteReader, replacements: ReadonlyMap<number, number>): Uint8Array[] {
  return code.list(() => {
    const body = code.part(code.unsigned());
    const parts: Uint8Array[] = [];
    let kept = body.at;
    checkLocals(body);
    while (!body.isDone) {
      const opcode = body.byte();
      const operand = body.at;
      checkInstruction(body, opcode);
      const index = opcode === OPCODE.call ? body.from(operand, body.end).unsigned() : undefined;
      const replacement = index === undefined ? undefined : replacements.get(index);
      if (replacement === undefined) continue;
      parts.push(body.bytes.subarray(kept, operand), unsignedBytes(replacement));
      kept = body.at;
    }
    return sized(Buffer.concat([...parts, body.bytes.subarray(kept, body.end)]));
  });
}

function sized(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([unsignedBytes(bytes.length), bytes]);
}

function vector(items: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([unsignedBytes(items.length), ...items]);
}

function text(name: string): Uint8Array {
  return sized(Buffer.from(name));
}
