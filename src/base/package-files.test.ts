import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { packageFile, readShipped, shippedNames } from './package-files.ts';

const root = path.join(import.meta.dirname, '../..');

it('reads files of the package, and lists a directory with everything below', () => {
  expect(readShipped(packageFile('package.json')).equals(readFileSync(path.join(root, 'package.json')))).toBe(
    true,
  );
  const listed = shippedNames(packageFile('wit/'));
  const below = readdirSync(path.join(root, 'wit'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.join(root, 'wit'), path.join(entry.parentPath, entry.name)));
  expect(listed).toEqual(below.sort());
});
