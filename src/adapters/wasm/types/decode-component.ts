/**
 * Reads what a component imports and exports, with types, from its binary form, and finds its core modules. Executes
 * nothing. Components inside the component are read for their core modules and for what no tool may use.
 */

import { ByteReader, damaged, unsupported } from './byte-reader.ts';
import {
  isNamedType,
  readAlias,
  readExtern,
  readExternName,
  readInterface,
  readSort,
  readType,
  Scope,
} from './component-types.ts';
import type { FunctionType, InterfaceType, NamedType } from './value-type.ts';

export interface DecodedComponent {
  readonly imports: readonly ComponentImport[];
  readonly exports: readonly ComponentExport[];
  /** Every core module, also of the components inside. */
  readonly modules: readonly Uint8Array[];
  /** The custom section `package-docs`, which holds the doc comments of the WIT. */
  readonly docs: Uint8Array | undefined;
}

export type ComponentImport = { readonly name: string } & (
  | { readonly kind: 'interface'; readonly type: InterfaceType }
  | { readonly kind: 'type'; readonly type: NamedType }
  | { readonly kind: 'other' }
);

export type ComponentExport = { readonly name: string } & (
  | { readonly kind: 'function'; readonly type: FunctionType }
  | { readonly kind: 'interface'; readonly type: InterfaceType }
  | { readonly kind: 'other' }
);

const PREAMBLE = [0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00];

/** Throws a ComponentError for what cannot be read and for what no tool may use. */
export function decodeComponent(bytes: Uint8Array): DecodedComponent {
  const reader = new ByteReader(bytes, { at: 0, end: bytes.length });
  const decoder = new Decoder(undefined, []);
  decoder.read(reader);
  return decoder;
}

class Decoder implements DecodedComponent {
  readonly imports: ComponentImport[] = [];
  readonly exports: ComponentExport[] = [];
  readonly modules: Uint8Array[];
  docs: Uint8Array | undefined;
  readonly #scope: Scope;
  readonly #exportedTypes = new Map<string, NamedType>();

  constructor(parent: Scope | undefined, modules: Uint8Array[]) {
    this.#scope = new Scope(parent);
    this.modules = modules;
  }

  read(reader: ByteReader): void {
    for (const byte of PREAMBLE) if (reader.byte() !== byte) throw damaged();
    while (!reader.isDone) {
      const section = reader.byte();
      const content = reader.part(reader.unsigned());
      this.#section(section, content);
    }
  }

  #section(section: number, content: ByteReader): void {
    if (section === CUSTOM) this.#custom(content);
    else if (section === CORE_MODULE) this.modules.push(content.bytes.subarray(content.at, content.end));
    else if (section === COMPONENT) this.#component(content);
    else if (section !== CORE_INSTANCE && section !== CORE_TYPE) this.#list(section, content);
  }

  /** Its imports are filled by this component with equal types, so that its exports are known from itself alone. */
  #component(content: ByteReader): void {
    const inner = new Decoder(this.#scope, this.modules);
    inner.read(content);
    const functions = inner.exports.flatMap((each) => (each.kind === 'function' ? [each] : []));
    const interfaces = inner.exports.flatMap((each) => (each.kind === 'interface' ? [each] : []));
    this.#scope.components.push({
      types: inner.#exportedTypes,
      functions: new Map(functions.map(({ name, type }) => [name, type])),
      interfaces: new Map(interfaces.map(({ name, type }) => [name, type])),
    });
  }

  #list(section: number, content: ByteReader): void {
    const read = this.#readers[section];
    if (!read) throw unsupported('parts that WASI 0.2 does not have');
    content.each(read);
    content.finish();
  }

  readonly #readers: Readonly<Record<number, (reader: ByteReader) => void>> = {
    5: (reader) => this.#instance(reader),
    6: (reader) => readAlias(reader, this.#scope),
    7: (reader) => this.#scope.types.push(readType(reader, this.#scope)),
    8: (reader) => this.#canonical(reader),
    10: (reader) => this.#import(reader),
    11: (reader) => this.#export(reader),
  };

  #custom(content: ByteReader): void {
    if (content.name() !== 'package-docs') return;
    this.docs = content.bytes.subarray(content.at, content.end);
  }

  #instance(reader: ByteReader): void {
    const kind = reader.byte();
    if (kind > 1) throw damaged();
    const made = kind === 0 ? this.#scope.component(reader.unsigned()) : undefined;
    reader.each(() => {
      if (kind === 0) reader.name();
      else readExternName(reader);
      readSort(reader);
      reader.unsigned();
    });
    this.#scope.instances.push(made);
  }

  /** Functions between a component and its core modules. */
  #canonical(reader: ByteReader): void {
    const kind = reader.byte();
    if (kind > 0x04) throw unsupported('asynchronous functions or threads');
    if (kind > 0x01) {
      reader.unsigned();
      return;
    }
    if (reader.byte() !== 0x00) throw damaged();
    reader.unsigned();
    reader.each(readCanonicalOption);
    if (kind === 0x00) this.#scope.functions.push(this.#scope.functionType(reader.unsigned()));
  }

  #import(reader: ByteReader): void {
    const name = readExternName(reader);
    const extern = readExtern(reader, this.#scope, name);
    if (extern.kind === 'instance' && 'interfaceAt' in extern.type) {
      const { interfaceAt, scope } = extern.type;
      const type = readInterface(
        interfaceAt.from(interfaceAt.at, interfaceAt.end),
        scope,
        withoutVersion(name),
      );
      this.#scope.instances[this.#scope.instances.length - 1] = type;
      this.imports.push({ name, kind: 'interface', type });
    } else if (extern.kind === 'type' && isNamedType(extern.type)) {
      this.imports.push({ name, kind: 'type', type: extern.type });
    } else this.imports.push({ name, kind: 'other' });
  }

  #export(reader: ByteReader): void {
    const name = readExternName(reader);
    const sort = readSort(reader);
    const at = reader.unsigned();
    const isDescribed = reader.byte();
    if (isDescribed > 1) throw damaged();
    if (isDescribed === 1) {
      readExtern(reader, this.#scope, name);
    } else this.#numberExport(sort, at);
    if (sort === 'type') {
      const type = this.#scope.types.at(-1);
      if (type && isNamedType(type)) this.#exportedTypes.set(name, type);
    }
    const type = sort === 'function' ? this.#scope.functions.at(-1) : undefined;
    const instance = sort === 'instance' ? this.#scope.instances[at] : undefined;
    if (type) this.exports.push({ name, kind: 'function', type });
    else if (instance) this.exports.push({ name, kind: 'interface', type: instance });
    else this.exports.push({ name, kind: 'other' });
  }

  /** An export gets a number of its own. */
  #numberExport(sort: ReturnType<typeof readSort>, at: number): void {
    if (sort === 'function') this.#scope.functions.push(this.#scope.function(at));
    if (sort === 'type') this.#scope.types.push(this.#scope.type(at));
    if (sort === 'instance') this.#scope.instances.push(this.#scope.instances[at]);
    if (sort === 'component') this.#scope.components.push(this.#scope.component(at));
  }
}

const CUSTOM = 0;
const CORE_MODULE = 1;
/** They only connect core modules. */
const CORE_INSTANCE = 2;
const CORE_TYPE = 3;
const COMPONENT = 4;

/** Encodings of strings need nothing more; memory, realloc and post-return name something. */
function readCanonicalOption(reader: ByteReader): void {
  const option = reader.byte();
  if (option > 0x05) throw unsupported('asynchronous functions');
  if (option > 0x02) reader.unsigned();
}

/** `wasi:io/streams` for `wasi:io/streams@0.2.12`. */
export function withoutVersion(name: string): string {
  return name.replace(/@[^@]*$/, '');
}
