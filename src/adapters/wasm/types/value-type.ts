/** The types of the component model, as WIT and components write them, and how two of them differ. */

export type ValueType =
  | { readonly kind: 'primitive'; readonly name: Primitive }
  | { readonly kind: 'list' | 'option'; readonly of: ValueType }
  | {
      readonly kind: 'result';
      readonly ok: ValueType | undefined;
      readonly error: ValueType | undefined;
    }
  | { readonly kind: 'tuple'; readonly parts: readonly ValueType[] }
  | { readonly kind: 'record'; readonly fields: readonly Named<ValueType>[] }
  | { readonly kind: 'variant'; readonly cases: readonly Named<ValueType | undefined>[] }
  | { readonly kind: 'enum' | 'flags'; readonly names: readonly string[] }
  /** A handle. Resources are equal when they are the same one, so they are known by interface and name. */
  | { readonly kind: 'own' | 'borrow'; readonly resource: string }
  /** A type that this host does not follow, such as one of a component inside the component. Equal to none. */
  | { readonly kind: 'unknown' };

export interface Named<Value> {
  readonly name: string;
  readonly type: Value;
  /** The doc comment, where one is known. */
  readonly docs?: string;
}

export const PRIMITIVES = [
  'bool',
  's8',
  'u8',
  's16',
  'u16',
  's32',
  'u32',
  's64',
  'u64',
  'f32',
  'f64',
  'char',
  'string',
] as const;
export type Primitive = (typeof PRIMITIVES)[number];

/** The least and the most, of those that JSON numbers hold exactly. */
export const INTEGER_RANGES = {
  s8: [-128, 127],
  u8: [0, 255],
  s16: [-32_768, 32_767],
  u16: [0, 65_535],
  s32: [-2_147_483_648, 2_147_483_647],
  u32: [0, 4_294_967_295],
} as const;

export interface FunctionType {
  readonly parameters: readonly Named<ValueType>[];
  readonly result: ValueType | undefined;
}

/** A named type of an interface: a value type or a resource. */
export type NamedType = { readonly value: ValueType } | { readonly resource: string };

/** The members of one interface. Methods are named as in components: `[method]descriptor.read`. */
export interface InterfaceType {
  readonly types: ReadonlyMap<string, NamedType>;
  readonly functions: ReadonlyMap<string, FunctionType>;
  /** Interfaces inside it, where a component inside a component exports them. */
  readonly interfaces?: ReadonlyMap<string, InterfaceType>;
}

/** Says where two functions differ first; undefined when they are equal. */
export function functionDifference(found: FunctionType, expected: FunctionType): string | undefined {
  const names = (type: FunctionType) => type.parameters.map(({ name }) => name).join(', ');
  if (names(found) !== names(expected))
    return `its parameters are (${names(found)}), not (${names(expected)})`;
  return (
    namedDifference(found.parameters, expected.parameters, '') ??
    optionalDifference(found.result, expected.result, 'result')
  );
}

/** Says where two types differ first; undefined when they are equal. */
export function namedTypeDifference(found: NamedType, expected: NamedType, at: string): string | undefined {
  if ('value' in found && 'value' in expected) return difference(found.value, expected.value, at);
  if ('resource' in found && 'resource' in expected && found.resource === expected.resource) return undefined;
  const text = (type: NamedType) =>
    'value' in type ? describeType(type.value) : `resource ${type.resource}`;
  return `${at} is ${text(found)}, not ${text(expected)}`;
}

/** Goes as deep as `expected` does, which is never hostile. */
function difference(found: ValueType, expected: ValueType, at: string): string | undefined {
  const differs = `${at} is ${describeType(found)}, not ${describeType(expected)}`;
  if (found.kind !== expected.kind) return differs;
  switch (expected.kind) {
    case 'primitive':
      return found.kind === 'primitive' && found.name === expected.name ? undefined : differs;
    case 'list':
    case 'option':
      return found.kind === expected.kind ? difference(found.of, expected.of, at) : differs;
    case 'result':
      if (found.kind !== 'result') return differs;
      return (
        optionalDifference(found.ok, expected.ok, at) ??
        optionalDifference(found.error, expected.error, `${at}: the error`)
      );
    case 'tuple': {
      if (found.kind !== 'tuple' || found.parts.length !== expected.parts.length) return differs;
      return first(expected.parts, (part, index) => difference(found.parts[index] ?? UNKNOWN, part, at));
    }
    case 'record':
      return found.kind === 'record' && sameNames(found.fields, expected.fields)
        ? namedDifference(found.fields, expected.fields, `${at}.`)
        : differs;
    case 'variant':
      return found.kind === 'variant' && sameNames(found.cases, expected.cases)
        ? namedDifference(found.cases, expected.cases, `${at}.`)
        : differs;
    case 'enum':
    case 'flags':
      return found.kind === expected.kind && found.names.join() === expected.names.join()
        ? undefined
        : differs;
    case 'own':
    case 'borrow':
      return found.kind === expected.kind && found.resource === expected.resource ? undefined : differs;
    case 'unknown':
      return differs;
  }
}

export const UNKNOWN: ValueType = { kind: 'unknown' };

function optionalDifference(
  found: ValueType | undefined,
  expected: ValueType | undefined,
  at: string,
): string | undefined {
  if (found && expected) return difference(found, expected, at);
  if (!found && !expected) return undefined;
  return `${at} is ${found ? describeType(found) : 'nothing'}, not ${expected ? describeType(expected) : 'nothing'}`;
}

function namedDifference(
  found: readonly Named<ValueType | undefined>[],
  expected: readonly Named<ValueType | undefined>[],
  prefix: string,
): string | undefined {
  return first(expected, ({ name, type }, at) =>
    optionalDifference(found[at]?.type, type, `${prefix}${name}`),
  );
}

function sameNames(found: readonly Named<unknown>[], expected: readonly Named<unknown>[]): boolean {
  return found.length === expected.length && found.every(({ name }, at) => name === expected[at]?.name);
}

function first<Item>(
  items: readonly Item[],
  find: (item: Item, at: number) => string | undefined,
): string | undefined {
  for (const [at, item] of items.entries()) {
    const found = find(item, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

const DEEPEST_TEXT = 1;
const MOST_NAMES = 8;

/** A type as WIT writes it, without its innermost parts: a small type can unfold into an endless text. */
export function describeType(type: ValueType, depth = 0): string {
  const inner = (part: ValueType | undefined): string => {
    if (!part) return '_';
    return depth < DEEPEST_TEXT ? describeType(part, depth + 1) : '…';
  };
  switch (type.kind) {
    case 'primitive':
      return type.name;
    case 'list':
    case 'option':
      return `${type.kind}<${inner(type.of)}>`;
    case 'result':
      return type.ok || type.error ? `result<${inner(type.ok)}, ${inner(type.error)}>` : 'result';
    case 'tuple':
      return `tuple<${some(type.parts, inner)}>`;
    case 'record':
      return `record { ${some(type.fields, (field) => `${field.name}: ${inner(field.type)}`)} }`;
    case 'variant':
      return `variant { ${some(type.cases, (each) => (each.type ? `${each.name}(${inner(each.type)})` : each.name))} }`;
    case 'enum':
    case 'flags':
      return `${type.kind} { ${some(type.names, (name) => name)} }`;
    case 'own':
      return type.resource;
    case 'borrow':
      return `borrow<${type.resource}>`;
    case 'unknown':
      return 'a type of a component inside it';
  }
}

function some<Item>(items: readonly Item[], text: (item: Item) => string): string {
  const shown = items.slice(0, MOST_NAMES).map(text);
  return [...shown, ...(items.length > MOST_NAMES ? ['…'] : [])].join(', ');
}
