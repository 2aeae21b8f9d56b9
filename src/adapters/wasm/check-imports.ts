/**
 * A component may import only functions and resources that the WIT has, with equal types. The glue calls whatever a
 * component names on the objects of this host, so an import such as `[constructor]descriptor`, or a function with
 * other parameters, would reach what is no part of WASI.
 */

import { ComponentError } from './component-error.ts';
import { type ComponentImport, withoutVersion } from './types/decode-component.ts';
import type { HostTypes } from './types/host-types.ts';
import { functionDifference, type InterfaceType, namedTypeDifference } from './types/value-type.ts';

/** Throws a ComponentError for the first import that the host does not offer in this form. */
export function checkImports(imports: readonly ComponentImport[], host: HostTypes): void {
  requireKnown(imports, host);
  requireOnce(imports);
  for (const each of imports) if (each.kind === 'interface') checkInterface(each.name, each.type, host);
}

function requireKnown(imports: readonly ComponentImport[], host: HostTypes): void {
  const unknown = imports.filter((each) => !isKnown(each, host)).map(({ name }) => name);
  if (unknown.length === 0) return;
  throw new ComponentError(
    'wasm/unknown-import',
    `The component wants what this host does not offer: ${named(unknown)}.`,
    'Tools may import WASI 0.2 and nothing else.',
  );
}

/** A type that stands for another one brings nothing along; the types of a component's own functions are such. */
function isKnown(item: ComponentImport, host: HostTypes): boolean {
  if (item.kind === 'type') return 'value' in item.type;
  return item.kind === 'interface' && host.interface(item.name) !== undefined;
}

/** A host has one object for all versions of an interface. */
function requireOnce(imports: readonly ComponentImport[]): void {
  const groups = Map.groupBy(imports, ({ name }) => withoutVersion(name).replace(/^jp:tool\//, 'ken:tool/'));
  const twice = [...groups.values()].find((names) => names.length > 1);
  if (!twice) return;
  throw new ComponentError(
    'wasm/unknown-import',
    `The component imports one interface twice: ${named(twice.map(({ name }) => name))}.`,
    'Build all of its parts against the same version of it.',
  );
}

function checkInterface(name: string, found: InterfaceType, host: HostTypes): void {
  const expected = host.interface(name);
  if (!expected) return;
  const from = withoutVersion(name);
  const members = [...found.functions.keys(), ...found.types.keys()];
  const unknown = members.filter((member) => !expected.functions.has(member) && !expected.types.has(member));
  if (unknown.length > 0) {
    throw new ComponentError(
      'wasm/unknown-import',
      `The component imports ${named(unknown.map((member) => `${from} ${member}`))}, which ${owner(from)} does not have.`,
      'No compiler makes such imports; do not trust this file.',
    );
  }
  const difference = firstDifference(found, expected);
  if (difference !== undefined) throw otherType(from, difference);
}

function otherType(from: string, difference: string): ComponentError {
  if (from.startsWith('wasi:')) {
    return new ComponentError(
      'wasm/unknown-import',
      `The component imports ${from} with a type that WASI does not have: ${difference}.`,
      'No compiler makes such imports; do not trust this file.',
    );
  }
  return new ComponentError(
    'wasm/wrong-signature',
    `The component does not implement ken:tool@0.1.0: ${difference}.`,
    'Build it against the world "tool" of wit/tool.wit.',
  );
}

function firstDifference(found: InterfaceType, expected: InterfaceType): string | undefined {
  for (const [name, type] of found.types) {
    const right = expected.types.get(name);
    const difference = right ? namedTypeDifference(type, right, name) : `${name} is not a type`;
    if (difference !== undefined) return difference;
  }
  for (const [name, type] of found.functions) {
    const right = expected.functions.get(name);
    const difference = right ? functionDifference(type, right) : 'it is not a function';
    if (difference !== undefined) return `of ${name}, ${difference}`;
  }
  return undefined;
}

function owner(name: string): string {
  return name.startsWith('wasi:') ? 'WASI' : 'the contract of tools';
}

const MOST_NAMED = 5;

/** A hostile component can have a million names. */
function named(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => name.slice(0, 200));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
