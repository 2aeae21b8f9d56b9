import type { Json } from '../../../base/json.ts';
import { formatKeyPath, type KeyPath } from '../../../config/key-path.ts';
import type { Node } from '../../../config/node.ts';
import { SCHEMA } from '../../../config/schema.ts';
import { child, isTree } from '../../../config/tree.ts';
import type { Completer, Suggestion } from './completer.ts';

/** Every key that holds a value. Where names are free (`kb.topic.<id>`), the ones in use. */
export const completeConfigKeys: Completer = async ({ openAnywhere }) => {
  const { config } = await openAnywhere();
  return [...keysBelow(SCHEMA, [], config as Json)];
};

function* keysBelow(node: Node, path: KeyPath, value: Json | undefined): Generator<Suggestion> {
  const below = value !== undefined && isTree(value) ? value : {};
  if (node.kind === 'table') {
    for (const [name, field] of Object.entries(node.fields))
      yield* keysBelow(field, [...path, name], child(below, name));
  } else if (node.kind === 'map') {
    for (const name of Object.keys(below)) yield* keysBelow(node.value, [...path, name], child(below, name));
  } else yield { value: formatKeyPath(path), description: node.description };
}
