import { afterEach, expect, it } from 'vitest';
import { codePieces } from './code-pieces.ts';
import { markdown } from './text.ts';
import { withinTime } from './within-time.ts';

/** Ends a page, so that the next one has its whole time. */
const endPage = () => new Promise((resolve) => setImmediate(resolve));
afterEach(endPage);

it('gives the result of work that ends, and its errors', () => {
  expect(withinTime(() => 3)).toBe(3);
  expect(() => withinTime(() => JSON.parse('{'))).toThrow(SyntaxError);
});

it('stops work that does not end, and a page with much of it altogether', () => {
  const endless = () => {
    for (;;) /(?:a+)+b/.test('a'.repeat(40));
  };
  // A clock may say that the first two took a moment less than all of the time.
  expect([endless, endless, endless].map(withinTime)).toEqual([undefined, undefined, undefined]);
  let begun = 0;
  withinTime(() => (begun += 1));
  expect(begun).toBe(0);
});

it('colours a text after one of the same language that was written to be slow', async () => {
  const slow = '[a]('.repeat(20_000);
  expect(codePieces(slow, 'markdown')).toEqual([[{ kind: undefined, text: slow }]]);
  await endPage();
  const [heading] = codePieces('# Tea', 'markdown');
  expect(heading).toEqual([{ kind: 'title', text: '# Tea' }]);
});

it('shows Markdown that was written to be slow as it is', async () => {
  const slow = `${'*a '.repeat(30_000)} ${'b* '.repeat(30_000)}`;
  expect(String(await markdown(slow))).toBe(`<pre tabindex="0">${slow}</pre>`);
});
