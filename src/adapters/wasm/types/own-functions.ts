/** The functions of a component's own world, which become tools: their types, doc comments and JSON Schemas. */

import { isJsonObject, type Json, type JsonObject, memberOf, parseJson } from '../../../base/json.ts';
import type { ComponentFunction } from '../../../domain/tools/component-host.ts';
import { ComponentError } from '../component-error.ts';
import { type ComponentExport, type DecodedComponent, withoutVersion } from './decode-component.ts';
import { type FunctionType, INTEGER_RANGES, type Primitive, type ValueType } from './value-type.ts';

export interface OwnFunction {
  readonly name: string;
  /** The last part of the name of the interface that has it; absent for a function of the world itself. */
  readonly of?: string;
  readonly docs: string | undefined;
  readonly type: FunctionType;
}

const MOST_FUNCTIONS = 64;
/** Types may share parts, so that a few bytes unfold into any size. */
const MOST_PARTS = 2000;
/** Names of all parts together; a long one may stand in each of them. */
const MOST_NAME_CHARACTERS = 20_000;
const DEEPEST = 32;
const LONGEST_DOCS = 2000;

/**
 * Those that a component exports beside `run`, also in interfaces. Throws a ComponentError for a type that no JSON
 * stands for, and for two functions of one name.
 */
export function ownFunctions({ exports, docs }: DecodedComponent): OwnFunction[] {
  // Lazily: a small component can export one interface of many functions many times.
  const found = exports
    .values()
    .flatMap(functionsIn)
    .take(MOST_FUNCTIONS + 1)
    .toArray();
  if (found.length > MOST_FUNCTIONS) {
    throw new ComponentError(
      'wasm/too-large',
      `The component exports more than ${MOST_FUNCTIONS} functions.`,
    );
  }
  const twice = found.find((each, at) => found.findIndex(({ name }) => name === each.name) !== at);
  if (twice) throw notPlain(twice.name, 'the name of another one');
  const told = docsByFunction(docs);
  return found.map(({ name, of, type }) => {
    if (name.startsWith('[')) throw notPlain(name, 'a resource');
    const count = partCounter(name);
    count(type.parameters.map((parameter) => parameter.name));
    for (const parameter of type.parameters) requirePlain(parameter.type, { name, count }, 0);
    if (type.result) requirePlain(type.result, { name, count }, 0);
    return { name, ...(of !== undefined && { of }), docs: told.get(name), type };
  });
}

/** Throws when a function has too many parts, or names that are too long. */
function partCounter(name: string): Counting['count'] {
  let parts = 0;
  let characters = name.length;
  return (names) => {
    parts += 1;
    characters += names.reduce((sum, each) => sum + each.length, 0);
    if (parts > MOST_PARTS) throw notPlain(name, 'types of too many parts');
    if (characters > MOST_NAME_CHARACTERS) throw notPlain(name, 'names that are too long');
  };
}

/** Interfaces of WASI are not the component's own: a program that exports `wasi:cli/run` is not a tool. */
function functionsIn(exported: ComponentExport): Omit<OwnFunction, 'docs'>[] {
  if (exported.kind === 'function') return isOfCompiler(exported) ? [] : [exported];
  if (exported.kind !== 'interface' || exported.name.startsWith('wasi:')) return [];
  const of = withoutVersion(exported.name).replace(/^.*\//, '');
  return [...exported.type.functions].map(([name, type]) => ({ name, of, type }));
}

/** componentize-qjs leaves the function by which it gave the engine its script. */
function isOfCompiler({ name, type }: { readonly name: string; readonly type: FunctionType }): boolean {
  const [first, second] = type.parameters.map((parameter) => parameter.name);
  return name === 'init' && first === 'shim' && second === 'script';
}

interface Counting {
  readonly name: string;
  /** Counts one part with the names that it has. */
  count(names: readonly string[]): void;
}

function requirePlain(type: ValueType, counting: Counting, depth: number): void {
  counting.count(namesOf(type));
  if (depth > DEEPEST) throw notPlain(counting.name, 'types inside types inside types');
  if (type.kind === 'own' || type.kind === 'borrow' || type.kind === 'unknown') {
    throw notPlain(counting.name, 'a resource');
  }
  for (const part of partsOf(type)) requirePlain(part, counting, depth + 1);
}

function namesOf(type: ValueType): readonly string[] {
  if (type.kind === 'record') return type.fields.map(({ name }) => name);
  if (type.kind === 'variant') return type.cases.map(({ name }) => name);
  return type.kind === 'enum' || type.kind === 'flags' ? type.names : [];
}

function partsOf(type: ValueType): readonly ValueType[] {
  switch (type.kind) {
    case 'list':
    case 'option':
      return [type.of];
    case 'result':
      return [type.ok, type.error].filter((part) => part !== undefined);
    case 'tuple':
      return type.parts;
    case 'record':
      return type.fields.map((field) => field.type);
    case 'variant':
      return type.cases.flatMap((each) => each.type ?? []);
    default:
      return [];
  }
}

function notPlain(name: string, what: string): ComponentError {
  return new ComponentError(
    'wasm/wrong-signature',
    `The function ${JSON.stringify(name.slice(0, 100))} of the component has ${what}, which a tool cannot have.`,
    'Give it records, lists, options, enums, results, variants, flags, tuples, numbers and text.',
  );
}

/** The doc comments of all worlds and interfaces together: no two functions of a component share a name. */
function docsByFunction(section: Uint8Array | undefined): ReadonlyMap<string, string> {
  // The first byte is the version of the format.
  const text = section && section.length < 1_000_000 ? new TextDecoder().decode(section.subarray(1)) : '';
  const parsed = parseJson(text);
  const all = ['worlds', 'interfaces'].flatMap((key) => Object.values(objectOf(memberOf(parsed, key))));
  const functions = all.flatMap((world) =>
    ['funcs', 'func_exports'].flatMap((key) => Object.entries(objectOf(memberOf(world, key)))),
  );
  return new Map(
    functions.flatMap(([name, told]) => {
      const docs = typeof told === 'string' ? told : memberOf(told, 'docs');
      return typeof docs === 'string' ? [[name, docs.trim().slice(0, LONGEST_DOCS)] as const] : [];
    }),
  );
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function describeFunction({ name, docs, type }: OwnFunction): ComponentFunction {
  const required = type.parameters.filter((parameter) => parameter.type.kind !== 'option');
  const success = successOf(type);
  return {
    name,
    ...(docs !== undefined && { description: docs }),
    parameters: objectSchema(type.parameters, required),
    ...(success && { output: wrapped(schemaOf(success)) }),
  };
}

/** The type of what a call gives when it does not fail; undefined when it gives nothing. */
export function successOf({ result }: FunctionType): ValueType | undefined {
  return result?.kind === 'result' ? result.ok : result;
}

/** In an object, as clients of MCP want one. */
function wrapped(schema: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: { result: schema },
    required: ['result'],
    additionalProperties: false,
  };
}

interface Field {
  readonly name: string;
  readonly type: ValueType;
}

function objectSchema(fields: readonly Field[], required: readonly Field[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, type }) => [name, schemaOf(type)])),
    required: required.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The JSON that stands for a value: an enum is a text, a variant `{tag, val}`, flags a list of names. */
function schemaOf(type: ValueType): JsonObject {
  switch (type.kind) {
    case 'primitive':
      return PRIMITIVE_SCHEMAS[type.name];
    case 'list':
      return { type: 'array', items: schemaOf(type.of) };
    case 'option':
      return { anyOf: [schemaOf(type.of), { type: 'null' }] };
    case 'tuple':
      return {
        type: 'array',
        prefixItems: type.parts.map(schemaOf),
        items: false,
        minItems: type.parts.length,
      };
    case 'record':
      return objectSchema(
        type.fields,
        type.fields.filter((field) => field.type.kind !== 'option'),
      );
    case 'enum':
      return { type: 'string', enum: type.names };
    case 'flags':
      return { type: 'array', items: { type: 'string', enum: type.names }, uniqueItems: true };
    case 'variant':
      return { oneOf: type.cases.map((each) => caseSchema(each.name, each.type)) };
    case 'result':
      return { oneOf: [caseSchema('ok', type.ok), caseSchema('err', type.error)] };
    default:
      return {};
  }
}

function caseSchema(tag: string, type: ValueType | undefined): JsonObject {
  return {
    type: 'object',
    properties: { tag: { const: tag }, ...(type && { val: schemaOf(type) }) },
    required: type && type.kind !== 'option' ? ['tag', 'val'] : ['tag'],
    additionalProperties: false,
  };
}

function integer(name: keyof typeof INTEGER_RANGES): JsonObject {
  const [minimum, maximum] = INTEGER_RANGES[name];
  return { type: 'integer', minimum, maximum };
}

/** JSON numbers are exact up to 2^53 in most programs; larger ones are texts. */
const LONG: JsonObject = {
  anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?[0-9]{1,20}$' }],
};

const PRIMITIVE_SCHEMAS: Readonly<Record<Primitive, JsonObject>> = {
  bool: { type: 'boolean' },
  s8: integer('s8'),
  u8: integer('u8'),
  s16: integer('s16'),
  u16: integer('u16'),
  s32: integer('s32'),
  u32: integer('u32'),
  s64: LONG,
  u64: LONG,
  f32: { type: 'number' },
  f64: { type: 'number' },
  char: { type: 'string', minLength: 1, maxLength: 2 },
  string: { type: 'string' },
};
