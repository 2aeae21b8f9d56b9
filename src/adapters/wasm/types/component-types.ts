/** Reads type definitions of the component model's binary form. */

import { type ByteReader, damaged, unsupported } from './byte-reader.ts';
import {
  type FunctionType,
  type InterfaceType,
  type Named,
  type NamedType,
  type Primitive,
  UNKNOWN,
  type ValueType,
} from './value-type.ts';

/** An entry of a scope's types. An interface is read anew where it is imported, as its resources are new there. */
export type TypeEntry =
  | NamedType
  | { readonly function: FunctionType }
  | { readonly interfaceAt: ByteReader; readonly scope: Scope }
  | { readonly other: 'component' };

/** The things that a component, or the type of one, has numbered so far. */
export class Scope {
  readonly types: TypeEntry[] = [];
  readonly functions: FunctionType[] = [];
  /** Undefined for instances that are not followed: those inside imported instances, and bundles of exports. */
  readonly instances: (InterfaceType | undefined)[] = [];
  /** The exports of an instance of each component; undefined for components that are not written out here. */
  readonly components: (InterfaceType | undefined)[] = [];
  readonly #parent: Scope | undefined;
  readonly #depth: number;

  constructor(parent?: Scope) {
    this.#parent = parent;
    this.#depth = parent ? parent.#depth + 1 : 0;
    if (this.#depth > DEEPEST) throw unsupported('components inside components inside components');
  }

  type(at: number): TypeEntry {
    const found = this.types[at];
    if (!found) throw damaged();
    return found;
  }

  value(at: number): ValueType {
    const found = this.type(at);
    if (!('value' in found)) throw damaged();
    return found.value;
  }

  /** A type of the scope that is `count` scopes further out. */
  outerType(count: number, at: number): TypeEntry {
    if (count === 0) return this.type(at);
    if (!this.#parent) throw damaged();
    return this.#parent.outerType(count - 1, at);
  }

  component(at: number): InterfaceType | undefined {
    if (at >= this.components.length) throw damaged();
    return this.components[at];
  }

  function(at: number): FunctionType {
    const found = this.functions[at];
    if (!found) throw damaged();
    return found;
  }

  functionType(at: number): FunctionType {
    const found = this.type(at);
    if (!('function' in found)) throw damaged();
    return found.function;
  }
}

const DEEPEST = 16;

/** A function of an instance that is not followed. */
export const UNKNOWN_FUNCTION: FunctionType = { parameters: [{ name: '?', type: UNKNOWN }], result: UNKNOWN };

export function readType(reader: ByteReader, scope: Scope): TypeEntry {
  const start = reader.at;
  const kind = reader.byte();
  switch (kind) {
    case 0x40:
      return { function: readFunctionType(reader, scope) };
    case 0x41:
      readDeclarations(reader, new Scope(scope), { canImport: true });
      return { other: 'component' };
    case 0x42: {
      const at = reader.at;
      readInterface(reader, scope, '');
      return { interfaceAt: reader.from(at, reader.at), scope };
    }
    case 0x3f:
      if (reader.byte() !== 0x7f) throw damaged();
      if (reader.byte() !== 0x00) reader.unsigned();
      return { resource: 'a resource of its own' };
    case 0x3e:
    case 0x43:
      throw unsupported('asynchronous functions');
    default:
      reader.at = start;
      return { value: readDefinedType(reader, scope) };
  }
}

function readFunctionType(reader: ByteReader, scope: Scope): FunctionType {
  const parameters = reader.list((item) => readField(item, scope));
  const result = reader.byte();
  if (result === 0x00) return { parameters, result: readValueType(reader, scope) };
  if (result !== 0x01 || reader.byte() !== 0x00) throw damaged();
  return { parameters, result: undefined };
}

function readField(reader: ByteReader, scope: Scope): Named<ValueType> {
  return { name: reader.name(), type: readValueType(reader, scope) };
}

/** By the byte that stands for them. */
const PRIMITIVE_BYTES: Readonly<Record<number, Primitive>> = {
  127: 'bool',
  126: 's8',
  125: 'u8',
  124: 's16',
  123: 'u16',
  122: 's32',
  121: 'u32',
  120: 's64',
  119: 'u64',
  118: 'f32',
  117: 'f64',
  116: 'char',
  115: 'string',
};

function readDefinedType(reader: ByteReader, scope: Scope): ValueType {
  const value = () => readValueType(reader, scope);
  const optional = () => readOptional(reader, scope);
  const kind = reader.byte();
  const name = PRIMITIVE_BYTES[kind];
  if (name) return { kind: 'primitive', name };
  switch (kind) {
    case 0x72:
      return { kind: 'record', fields: reader.list((item) => readField(item, scope)) };
    case 0x71:
      return { kind: 'variant', cases: reader.list((item) => readCase(item, scope)) };
    case 0x70:
      return { kind: 'list', of: value() };
    case 0x6f:
      return { kind: 'tuple', parts: reader.list(value) };
    case 0x6e:
      return { kind: 'flags', names: reader.list((item) => item.name()) };
    case 0x6d:
      return { kind: 'enum', names: reader.list((item) => item.name()) };
    case 0x6b:
      return { kind: 'option', of: value() };
    case 0x6a:
      return { kind: 'result', ok: optional(), error: optional() };
    case 0x69:
      return { kind: 'own', resource: readResource(reader, scope) };
    case 0x68:
      return { kind: 'borrow', resource: readResource(reader, scope) };
    case 0x64:
    case 0x65:
    case 0x66:
      throw unsupported('asynchronous values');
    case 0x63:
    case 0x67:
      throw unsupported('types that WASI 0.2 does not have');
    default:
      throw damaged();
  }
}

function readCase(reader: ByteReader, scope: Scope): Named<ValueType | undefined> {
  const name = reader.name();
  const type = readOptional(reader, scope);
  // In an early draft a case could refine another one.
  if (reader.byte() !== 0x00) throw damaged();
  return { name, type };
}

function readOptional(reader: ByteReader, scope: Scope): ValueType | undefined {
  const has = reader.byte();
  if (has > 1) throw damaged();
  return has === 1 ? readValueType(reader, scope) : undefined;
}

/** A primitive type, or the number of a type. Numbers are signed, so that the two cannot be confused. */
function readValueType(reader: ByteReader, scope: Scope): ValueType {
  const first = reader.byte();
  const name = PRIMITIVE_BYTES[first];
  if (name) return { kind: 'primitive', name };
  if (first >= 0x63 && first <= 0x67) throw unsupported('asynchronous values');
  reader.at -= 1;
  const at = reader.unsigned();
  const last = reader.bytes[reader.at - 1] ?? 0;
  if ((last & 0x40) !== 0) throw damaged();
  return scope.value(at);
}

function readResource(reader: ByteReader, scope: Scope): string {
  const found = scope.type(reader.unsigned());
  if ('resource' in found) return found.resource;
  if ('value' in found && found.value.kind === 'unknown') return 'a resource of a component inside it';
  throw damaged();
}

/** Reads the members of an interface that is imported as `name`, which names its resources. */
export function readInterface(reader: ByteReader, scope: Scope, name: string): InterfaceType {
  const inner = new Scope(scope);
  return readDeclarations(reader, inner, { canImport: false, name });
}

interface Declarations {
  readonly canImport: boolean;
  readonly name?: string;
}

function readDeclarations(reader: ByteReader, scope: Scope, declarations: Declarations): InterfaceType {
  const types = new Map<string, NamedType>();
  const functions = new Map<string, FunctionType>();
  reader.each(() => {
    const kind = reader.byte();
    if (kind === 0x01) scope.types.push(readType(reader, scope));
    else if (kind === 0x02) readAlias(reader, scope);
    else if (kind === 0x04 || (kind === 0x03 && declarations.canImport)) {
      const member = readExternName(reader);
      const extern = readExtern(reader, scope, `${declarations.name ?? ''}.${member}`);
      if (extern.kind === 'type' && isNamedType(extern.type)) types.set(member, extern.type);
      else if (extern.kind === 'function') functions.set(member, extern.type);
      else if (!declarations.canImport)
        throw unsupported('interfaces that hold more than types and functions');
    } else throw kind === 0x00 ? unsupported('core types in interfaces') : damaged();
  });
  return { types, functions };
}

export function isNamedType(entry: TypeEntry): entry is NamedType {
  return 'value' in entry || 'resource' in entry;
}

export type Extern =
  | { readonly kind: 'function'; readonly type: FunctionType }
  | { readonly kind: 'type'; readonly type: TypeEntry }
  | { readonly kind: 'instance'; readonly type: TypeEntry }
  | { readonly kind: 'other' };

/** Reads the kind and type of an import or export, and adds it to the scope. A new resource gets the name `resource`. */
export function readExtern(reader: ByteReader, scope: Scope, resource: string): Extern {
  const kind = reader.byte();
  if (kind === 0x01) {
    const type = scope.functionType(reader.unsigned());
    scope.functions.push(type);
    return { kind: 'function', type };
  }
  if (kind === 0x03) {
    const bound = reader.byte();
    if (bound > 1) throw damaged();
    const type: TypeEntry = bound === 0 ? scope.type(reader.unsigned()) : { resource };
    scope.types.push(type);
    return { kind: 'type', type };
  }
  if (kind === 0x05) {
    const type = scope.type(reader.unsigned());
    scope.instances.push(undefined);
    return { kind: 'instance', type };
  }
  if (kind === 0x00) {
    if (reader.byte() !== 0x11) throw damaged();
  } else if (kind === 0x04) scope.components.push(undefined);
  else throw unsupported('values as imports or exports');
  reader.unsigned();
  return { kind: 'other' };
}

/** The name of an import or export. */
export function readExternName(reader: ByteReader): string {
  if (reader.byte() > 1) throw unsupported('names with attributes');
  return reader.name();
}

const SORTS = ['core', 'function', 'value', 'type', 'component', 'instance'] as const;
export type Sort = (typeof SORTS)[number];

export function readSort(reader: ByteReader): Sort {
  const sort = SORTS[reader.byte()];
  if (sort === undefined) throw damaged();
  if (sort === 'value') throw unsupported('values as imports or exports');
  if (sort === 'core') reader.byte();
  return sort;
}

/** Gives a member of an instance, or something of an outer scope, a number in this scope. */
export function readAlias(reader: ByteReader, scope: Scope): void {
  const sort = readSort(reader);
  const target = reader.byte();
  if (target === 0x02) {
    const count = reader.unsigned();
    const at = reader.unsigned();
    if (sort === 'type') scope.types.push(scope.outerType(count, at));
    else if (sort === 'component') scope.components.push(undefined);
    else if (sort === 'function' || sort === 'instance') throw damaged();
    return;
  }
  if (target > 0x02) throw damaged();
  const instanceAt = reader.unsigned();
  const name = reader.name();
  if (target === 0x01) return;
  if (instanceAt >= scope.instances.length) throw damaged();
  addMember(scope, sort, scope.instances[instanceAt], name);
}

function addMember(scope: Scope, sort: Sort, instance: InterfaceType | undefined, name: string): void {
  if (sort === 'instance') scope.instances.push(instance?.interfaces?.get(name));
  if (sort === 'component') scope.components.push(undefined);
  if (sort === 'type') scope.types.push(instance ? required(instance.types.get(name)) : { value: UNKNOWN });
  if (sort === 'function')
    scope.functions.push(instance ? required(instance.functions.get(name)) : UNKNOWN_FUNCTION);
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw damaged();
  return value;
}
