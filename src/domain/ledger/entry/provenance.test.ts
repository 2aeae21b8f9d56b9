import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseProvenance } from './provenance.ts';

const fileOf = (text: string) => {
  const provenance = parseProvenance(`file:${text}`, () => false);
  return provenance?.scheme === 'file' ? provenance.path : undefined;
};

it.each([
  ...['C:\\notes\\tea.md', 'c:tea.md', '\\\\server\\share\\tea.md', '\\tea.md', '/tea.md', '~/tea.md', '~'],
  ...['..\\tea.md', 'notes\\..\\..\\tea.md', 'notes/../tea.md', ' tea.md', 'tea.md ', 'tea.md\r', 'a\nb'],
])('%j names no file of the workspace, on any system', (text) => {
  expect(fileOf(text)).toBeUndefined();
});

const segment = fc.oneof(
  fc.constantFrom('..', '.', 'C:', 'a', 'tea.md', '~', ''),
  fc.string({ maxLength: 6 }),
);
const joined = fc
  .array(fc.tuple(segment, fc.constantFrom('/', '\\')), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.flat().slice(0, -1).join(''));

it('a file that is taken lies inside of the workspace, as Linux and as Windows read its path', () => {
  fc.assert(
    fc.property(joined, (text) => {
      const file = fileOf(text);
      fc.pre(file !== undefined);
      for (const { kind, root } of [
        { kind: path.posix, root: '/work' },
        { kind: path.win32, root: 'D:\\work' },
      ]) {
        const at = kind.resolve(root, file ?? '');
        expect(at === root || at.startsWith(`${root}${kind.sep}`), at).toBe(true);
      }
    }),
  );
});
