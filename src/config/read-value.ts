/** A value as a person types it, read by the type of its key. */

import type { Json } from '../base/json.ts';
import type { Node } from './node.ts';

/** `undefined` when this kind of key has no plain form and wants JSON. */
export function readPlain(node: Node, text: string): Json | undefined {
  switch (node.kind) {
    case 'text':
    case 'choice':
    case 'shorthand':
      return text;
    case 'flag':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'number':
      return NUMBER.test(text) ? Number(text) : text;
    case 'list':
      return text === '' ? [] : listOfOne(node.item, text);
    case 'any':
      return text;
    case 'table':
    case 'map':
      return undefined;
  }
}

const NUMBER = /^-?\d{1,16}(\.\d{1,16})?$/;

function listOfOne(item: Node, text: string): Json | undefined {
  const value = readPlain(item, text);
  return value === undefined ? undefined : [value];
}
