import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const sheet = readFileSync(new URL('style.css', import.meta.url), 'utf8').replace(/\/\*.*?\*\//gs, '');
const [, root = ''] = /:root \{(.*?)\n\}/s.exec(sheet) ?? [];
const rest = sheet.replace(/:root \{.*?\n\}/s, '');

interface Declaration {
  readonly property: string;
  readonly value: string;
}

function declarations(text: string): Declaration[] {
  return [...text.matchAll(/(?:^|[;{])\s*([\w-]+):\s*([^;{}]+)(?=;)/g)].map(
    ([, property = '', value = '']) => ({
      property,
      value: value.replace(/\s+/g, ' '),
    }),
  );
}

/** Numbers with a unit that come from no scale; `100%` and the like are parts of something. */
function own(value: string): string[] {
  return value.replace(/var\(--[\w-]+\)/g, '').match(/\d*\.?\d+(?:rem|em|px|pt|ch)\b/g) ?? [];
}

const SCALED =
  /^(?:font-size|letter-spacing|(?:row-|column-)?gap|(?:margin|padding)(?:-\w+)*|border(?:-\w+)*|outline(?:-\w+)?|box-shadow)$/;
const BY_NAME = /^(?:font-weight|line-height)$/;
const COLOUR =
  /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|lab|lch|oklch|color-mix|light-dark)a?\(|\b(?:black|white|gray|grey|red|green|blue)\b/i;

it('has six colours, of which all others are mixtures', () => {
  const colours = declarations(root).filter(({ value }) => value.includes('#'));
  expect(colours.map(({ property }) => property)).toEqual([
    ...['--paper', '--ink', '--quiet', '--line', '--accent', '--alert'],
  ]);
});

it('sets colours, sizes of type and distances by their names alone', () => {
  const found = declarations(rest);
  expect(found.length).toBeGreaterThan(400);
  const stray = found.filter(
    ({ property, value }) =>
      COLOUR.test(value) ||
      (SCALED.test(property) && own(value).length > 0) ||
      (BY_NAME.test(property) && !/^(?:var\(--[\w-]+\)|400)$/.test(value)),
  );
  expect(stray).toEqual([]);
});

it('defines every name that it uses, and uses every name that it defines', () => {
  const defined = declarations(root).flatMap(({ property }) => (property.startsWith('--') ? [property] : []));
  const used = [...sheet.matchAll(/var\((--[\w-]+)\)/g)].map(([, name = '']) => name);
  expect([...new Set(used)].sort()).toEqual(defined.toSorted());
});
