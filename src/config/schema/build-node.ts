/** Makes nodes that carry the type of their value. A key without a default may be missing. */

import type { Json } from '../../base/json.ts';
import type {
  ChoiceNode,
  FlagNode,
  KeyRule,
  ListNode,
  MapNode,
  Node,
  NumberNode,
  Shared,
  ShorthandNode,
  TableNode,
  TableValue,
  TextNode,
  TextProblem,
  Typed,
  ValueOf,
} from './node.ts';

type Extra = Omit<Shared, 'description'>;
type Missing<Default, Value> = Default extends undefined ? Value | undefined : Value;

export function text<Default extends string | undefined = undefined>(
  description: string,
  more: Extra & { default?: Default; problem?: TextProblem } = {},
): Typed<Missing<Default, string>, TextNode> {
  return { kind: 'text', description, ...more } as Typed<Missing<Default, string>, TextNode>;
}

export function integer<Default extends number | undefined = undefined>(
  description: string,
  more: Extra & {
    default?: Default;
    min?: number;
    max?: number;
    onlyDownFor?: NumberNode['onlyDownFor'];
  } = {},
): Typed<Missing<Default, number>, NumberNode> {
  const node = { kind: 'number', description, min: 0, max: Number.MAX_SAFE_INTEGER, integer: true, ...more };
  return node as Typed<Missing<Default, number>, NumberNode>;
}

/** A number from 0 to 1. */
export function fraction(description: string, more: Extra = {}): Typed<number | undefined, NumberNode> {
  return { kind: 'number', description, min: 0, max: 1, integer: false, ...more };
}

export function flag<Default extends boolean | undefined = undefined>(
  description: string,
  more: Extra & { default?: Default } = {},
): Typed<Missing<Default, boolean>, FlagNode> {
  return { kind: 'flag', description, ...more } as Typed<Missing<Default, boolean>, FlagNode>;
}

export function choice<const Option extends string, Default extends Option | undefined = undefined>(
  description: string,
  options: readonly Option[],
  more: Extra & { default?: Default } = {},
): Typed<Missing<Default, Option>, ChoiceNode> {
  return { kind: 'choice', description, options, ...more } as Typed<Missing<Default, Option>, ChoiceNode>;
}

/** A list to which every layer adds. */
export function accumulatedList<Item extends Node>(
  description: string,
  item: Item,
  more: Extra & { default?: readonly Json[] } = {},
): Typed<readonly Exclude<ValueOf<Item>, undefined>[], ListNode> {
  return { kind: 'list', description, item, merge: 'append', default: [], ...more };
}

/** A list that the highest layer replaces. */
export function list<Item extends Node>(
  description: string,
  item: Item,
  more: Extra & { default?: readonly Json[] } = {},
): Typed<readonly Exclude<ValueOf<Item>, undefined>[], ListNode> {
  return { kind: 'list', description, item, merge: 'replace', default: [], ...more };
}

export function table<Fields extends Readonly<Record<string, Node>>>(
  description: string,
  fields: Fields,
  more: Extra & { required?: readonly (keyof Fields & string)[] } = {},
): Typed<TableValue<Fields>, TableNode> {
  return { kind: 'table', description, fields, ...more };
}

export function map<Value extends Node>(
  description: string,
  key: KeyRule,
  value: Value,
  more: Extra & { hasStrategies?: boolean; default?: Readonly<Record<string, Json>> } = {},
): Typed<Readonly<Record<string, Exclude<ValueOf<Value>, undefined>>>, MapNode> {
  return { kind: 'map', description, key, value, ...more };
}

export function shorthand<Table extends TableNode>(
  description: string,
  node: Table,
  more: Extra & { problem?: TextProblem; expand?: ShorthandNode['expand'] } = {},
): Typed<string | ValueOf<Table> | undefined, ShorthandNode> {
  const { problem, expand, ...rest } = more;
  const short: TextNode = { kind: 'text', description, ...(problem && { problem }) };
  return { kind: 'shorthand', description, text: short, table: node, ...rest, ...(expand && { expand }) };
}

export function anyValue(description: string): Typed<Json | undefined, Node> {
  return { kind: 'any', description };
}

/** A text that its table must name in `required`. */
export function requiredText(
  description: string,
  more: Extra & { problem?: TextProblem } = {},
): Typed<string, TextNode> {
  return { kind: 'text', description, ...more };
}
