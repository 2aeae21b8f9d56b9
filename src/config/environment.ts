/** Reads config from environment variables: `KEN_CFG_KB__TOPIC__PROJECT__TITLE=…`. */

import { Fault } from '../base/fault.ts';
import { compareCodePoints } from '../base/text.ts';
import { assign } from './assignment.ts';
import type { KeyPath } from './key-path.ts';
import type { Layer } from './resolve.ts';
import type { Node } from './schema/node.ts';
import { SCHEMA } from './schema.ts';
import { child, isTree, type Tree } from './tree.ts';

const PREFIX = 'KEN_CFG_';

/** One layer per variable, sorted by name. `below` returns the merged lower layers, which have the keys of maps. */
export function environmentLayers(
  environment: Readonly<Record<string, string | undefined>>,
  below: () => Tree,
): Layer[] {
  const names = Object.keys(environment).filter((name) => name.startsWith(PREFIX));
  if (names.length === 0) return [];
  const tree = below();
  return names.sort(compareCodePoints).map((name) => ({
    origin: { kind: 'environment', name },
    standing: 'operator',
    changes: [variableChange(name, environment[name] ?? '', tree)],
  }));
}

function variableChange(name: string, text: string, below: Tree) {
  const [, json = '', plus = '', value = ''] = /^(:?)(\+?)([\s\S]*)$/.exec(text) ?? [];
  try {
    const path = variablePath(name, below);
    return assign({ path, value, isJson: json !== '', isAppend: plus !== '' });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault('config/invalid', `${name}: ${error.message}`, { hint: error.hint, cause: error });
  }
}

function variablePath(name: string, below: Tree): KeyPath {
  const path: string[] = [];
  let node: Node = SCHEMA;
  let values: ReturnType<typeof child> = below;
  for (const segment of name.slice(PREFIX.length).split('__')) {
    const key: string = matchingKey(node, segment, values);
    path.push(key);
    values = child(values, key);
    node = nodeBelow(node, key) ?? node;
  }
  return path;
}

function matchingKey(node: Node, segment: string, values: ReturnType<typeof child>): string {
  const known = knownKeys(node, values).filter((key) => folded(key) === folded(segment));
  if (known.length > 1) {
    throw new Fault('config/invalid', `"${segment}" could mean ${known.join(' or ')}.`, {
      hint: 'Use a config file or --cfg to name the one you mean.',
    });
  }
  return known[0] ?? segment.toLowerCase();
}

function knownKeys(node: Node, values: ReturnType<typeof child>): string[] {
  if (node.kind === 'table') return Object.keys(node.fields);
  if (node.kind === 'shorthand') return Object.keys(node.table.fields);
  return isTree(values) ? Object.keys(values) : [];
}

/** The node below, for matching only; `assign` checks whether the key exists. */
function nodeBelow(node: Node, key: string): Node | undefined {
  if (node.kind === 'map') return node.value;
  const table = node.kind === 'shorthand' ? node.table : node;
  return table.kind === 'table' ? table.fields[key] : undefined;
}

function folded(key: string): string {
  return key.toLowerCase().replaceAll('-', '_');
}
