import fc from 'fast-check';
import type { Json } from '../../src/base/json.ts';
import type { Node, TableNode } from '../../src/config/schema/node.ts';
import { SCHEMA } from '../../src/config/schema.ts';
import type { Tree } from '../../src/config/tree.ts';

const KEYS = ['a', 'b', 'c-d', 'e_f'];
const TEXTS = ['x', 'y', 'z w', 'naïve ☂', ''];

/** Partial configs of every shape the schema allows; small alphabets, so that layers often speak of the same key. */
export const partialConfig: fc.Arbitrary<Tree> = valuesOf(SCHEMA, 'partial') as fc.Arbitrary<Tree>;

/** Like `partialConfig`, but every table has the keys that it must have. */
export const validConfig: fc.Arbitrary<Tree> = valuesOf(SCHEMA, 'valid') as fc.Arbitrary<Tree>;

type Completeness = 'partial' | 'valid';

function valuesOf(node: Node, as: Completeness): fc.Arbitrary<Json> {
  switch (node.kind) {
    case 'text':
      return fc.constantFrom(...TEXTS.filter((text) => !node.problem?.(text)));
    case 'flag':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...node.options);
    case 'number':
      return node.integer
        ? fc.integer({ min: node.min, max: Math.min(node.max, node.min + 3) })
        : fc.constantFrom(node.min, node.max);
    case 'list':
      return fc.uniqueArray(valuesOf(node.item, as), {
        maxLength: 4,
        selector: (item) => JSON.stringify(item),
      });
    case 'map':
      return fc.dictionary(fc.constantFrom(...KEYS), valuesOf(node.value, as), {
        maxKeys: 3,
        noNullPrototype: true,
      });
    case 'shorthand':
      return fc.oneof(fc.constantFrom('x', 'y'), tables(node.table, as));
    case 'table':
      return tables(node, as);
    case 'any':
      return fc.constantFrom<Json>(null, 1, 'x', [1, 2], { a: 1 });
  }
}

function tables(node: TableNode, as: Completeness): fc.Arbitrary<Json> {
  const fields = Object.fromEntries(
    Object.entries(node.fields).map(([key, field]) => [key, valuesOf(field, as)]),
  );
  return fc.record(fields, {
    requiredKeys: as === 'valid' ? [...(node.required ?? [])] : [],
    noNullPrototype: true,
  }) as fc.Arbitrary<Json>;
}
