/** The types of nodes in the config schema. Validation, merging, `--cfg`, JSON Schema and types all use them. */

import type { Json } from '../../base/json.ts';

/** The right to set a key: anyone; only the user's own config file; only authority.toml in the user's data directory. */
export type Authority = 'any' | 'user' | 'authority';

/** The harm that setting a key can do. Only `harmless` keys count in a workspace that is not trusted. */
export type Effect = 'harmless' | 'reads' | 'sends' | 'costs' | 'runs' | 'weakens' | 'instructs';

export interface Shared {
  readonly description: string;
  /** Applies to everything below, too. Absent: `any`. */
  readonly by?: Authority;
  /** Applies to everything below, too; every key has one. A function decides by the value. */
  readonly effect?: Effect | ((value: Json) => Effect);
  /** Whether a value gives away nothing more than `below`, the value it replaces, so that anyone may set it. */
  readonly narrows?: (value: Json, below: Json | undefined) => boolean;
}

export interface TextNode extends Shared {
  readonly kind: 'text';
  readonly default?: string;
  readonly problem?: TextProblem;
}

/** Returns a mistake in a text, to go after its key: `must stay inside the workspace`. */
export type TextProblem = (text: string) => string | undefined;

export interface NumberNode extends Shared {
  readonly kind: 'number';
  readonly default?: number;
  readonly min: number;
  readonly max: number;
  readonly integer: boolean;
  /** A limit that a workspace (or everyone but the user's own file) may lower but not raise. */
  readonly onlyDownFor?: 'workspace' | 'everyone';
}

export interface FlagNode extends Shared {
  readonly kind: 'flag';
  readonly default?: boolean;
}

export interface ChoiceNode extends Shared {
  readonly kind: 'choice';
  readonly default?: string;
  readonly options: readonly string[];
}

export interface ListNode extends Shared {
  readonly kind: 'list';
  readonly item: Node;
  /** `append`: layers add elements, equal ones once. `replace`: the highest layer's list applies. */
  readonly merge: 'append' | 'replace';
  readonly default?: readonly Json[];
}

export interface TableNode extends Shared {
  readonly kind: 'table';
  readonly fields: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
}

export interface MapNode extends Shared {
  readonly kind: 'map';
  readonly value: Node;
  readonly key: KeyRule;
  /** A layer may write `{ strategy = …, value = { … } }` instead of the entries. */
  readonly hasStrategies?: boolean;
  readonly default?: Readonly<Record<string, Json>>;
}

export interface KeyRule {
  readonly pattern: RegExp;
  readonly hint: string;
}

/** A text, or the table that it abbreviates. */
export interface ShorthandNode extends Shared {
  readonly kind: 'shorthand';
  readonly text: TextNode;
  readonly table: TableNode;
  /** Expands a text to its table, so that the two merge. Absent: they replace each other. */
  readonly expand?: (text: string) => Readonly<Record<string, Json>>;
}

export interface AnyNode extends Shared {
  readonly kind: 'any';
}

export type Node =
  | TextNode
  | NumberNode
  | FlagNode
  | ChoiceNode
  | ListNode
  | TableNode
  | MapNode
  | ShorthandNode
  | AnyNode;

declare const VALUE: unique symbol;

/** A node that remembers the type of the value it describes. */
export type Typed<Value, Kind extends Node = Node> = Kind & { readonly [VALUE]?: { readonly of: Value } };

export type ValueOf<Described> = Described extends { readonly [VALUE]?: { readonly of: infer Value } }
  ? Value
  : never;

/** A field whose value may be missing becomes an optional property. */
export type TableValue<Fields> = {
  readonly [Name in keyof Fields as undefined extends ValueOf<Fields[Name]> ? never : Name]: ValueOf<
    Fields[Name]
  >;
} & {
  readonly [Name in keyof Fields as undefined extends ValueOf<Fields[Name]> ? Name : never]?: ValueOf<
    Fields[Name]
  >;
};
