/** Regular expressions meet text that an attacker wrote: none may take more than the square of its length. */

import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import { shippedFiles, textOf } from './source-files.ts';

const LENGTH = 1500;
/** A square takes some milliseconds, a cube seconds. */
const LIMIT_MS = 200;
const REPEATED = [
  ...[' ', '\n', '\t', 'a', 'A', '0', '-', '_', '.', '/', '"', '<', '(', '[', '`', '*', '#', '=', ':', '@'],
  ...[
    '\\',
    '{',
    '$',
    '%',
    '+',
    ';',
    ',',
    '|',
    'é',
    '界',
    '\0',
    ' \n',
    'a.',
    'a-',
    'a@',
    'a:',
    '"a',
    '<a',
    'a ',
  ],
];

interface Literal {
  readonly type: 'Literal';
  readonly regex: { readonly pattern: string; readonly flags: string };
}

function isLiteral(node: object): node is Literal {
  return 'type' in node && node.type === 'Literal' && 'regex' in node;
}

function expressionsIn(node: unknown): RegExp[] {
  if (typeof node !== 'object' || node === null) return [];
  if (isLiteral(node)) return [new RegExp(node.regex.pattern, node.regex.flags)];
  return Object.values(node).flatMap(expressionsIn);
}

/** Words of the expression itself, which lead to its later parts. */
function wordsOf({ source }: RegExp): string[] {
  return (source.replaceAll(/\\[a-z]/gi, ' ').match(/[a-z<:/"'`#.@=-]{2,}/gi) ?? []).slice(0, 4);
}

function search(expression: RegExp, text: string): number {
  const started = performance.now();
  if (expression.global || expression.sticky) text.replace(expression, '');
  else expression.test(text);
  return performance.now() - started;
}

/** The text that takes it too long, thrice: a machine may be busy once. */
function slowText(expression: RegExp): string | undefined {
  for (const start of ['', ...wordsOf(expression)]) {
    for (const part of REPEATED) {
      const text = `${start}${part.repeat(LENGTH / part.length)}\u0001x`;
      if ([1, 2, 3].every(() => search(expression, text) > LIMIT_MS)) return JSON.stringify(start + part);
    }
  }
  return undefined;
}

it('no regular expression takes long for a hostile text', () => {
  const slow = shippedFiles.flatMap((file) =>
    expressionsIn(parseSync(file, textOf(file)).program).flatMap((expression) => {
      const text = slowText(expression);
      return text === undefined ? [] : [`${file}: ${expression} on ${text}, again and again`];
    }),
  );
  expect(slow).toEqual([]);
});
