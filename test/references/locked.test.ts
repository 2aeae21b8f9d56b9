/** `ken ref create --package NAME`: the version comes from the lock file, the rest from the operator. */

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../git/repositories.ts';
import { referencePlace } from './library.ts';

function tagged() {
  const place = referencePlace({ 'guide.md': '# Guide\n\nThe old way to open the sluice.\n' });
  git(place.repository, ['tag', 'v4.1.0']);
  git(place.repository, ['branch', 'version']);
  place.commit({ 'guide.md': '# Guide\n\nThe new way to open the sluice.\n' });
  git(place.repository, ['tag', 'v5.0.0']);
  const create = (...more: string[]) =>
    place.ken(['ref', 'create', '--title', 'Sluice', '--git', place.url, ...more]);
  return { ...place, create };
}

const locked = (version: unknown) => JSON.stringify({ packages: { 'node_modules/sluice': { version } } });

it('fetches the tag of the version that the project uses, and keeps to it', async () => {
  const place = tagged();
  place.write('package-lock.json', locked('4.1.0'));
  const created = await place.create('--package', 'sluice', '--path', 'guide.md');
  expect(created.code, created.stderr).toBe(0);
  expect(place.kept('sluice/files/guide.md')).toContain('The old way');
  expect(place.kept('sluice/topic.md')).toContain('ref = "version:sluice@4.1.0"');
  const refreshed = await place.ken(['ref', 'refresh', 'sluice', '--json']);
  expect(refreshed.code, refreshed.stderr).toBe(0);
  expect(place.kept('sluice/files/guide.md')).toContain('The old way');
});

it('looks in the directories above, as far as the workspace', async () => {
  const place = tagged();
  place.write('.ken/config.toml', '');
  place.write('package-lock.json', locked('5.0.0'));
  mkdirSync(path.join(place.root, 'packages/web'), { recursive: true });
  const directory = path.join(place.root, 'packages/web');
  const created = await place.ken(
    ['ref', 'create', '--title', 'Sluice', '--git', place.url, '--package', 'sluice'],
    { directory },
  );
  expect(created.code, created.stderr).toBe(0);
  expect(place.kept('sluice/files/guide.md')).toContain('The new way');
});

it.each([['--upload-pack=touch x'], ['version'], ['../heads/main'], [{ toString: 1 }]])(
  'believes no version %j',
  async (version) => {
    const place = tagged();
    place.write('package-lock.json', locked(version));
    expect(await place.create('--package', 'sluice')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/package-lock\.json has no package "sluice"\.\nhint: /),
    });
  },
);

it('says which versions there are, that a tag is missing, or that nothing is locked', async () => {
  const place = tagged();
  expect((await place.create('--package', 'sluice')).stderr).toMatch(/^ken: There is no lock file here\.\n/);
  place.write('Cargo.lock', '[[package]]\nname = "sluice"\nversion = "9.9.9"\n');
  expect((await place.create('--package', 'sluice')).stderr).toContain('has no tag of sluice 9.9.9.');
  place.write('package-lock.json', locked('4.1.0'));
  expect(await place.create('--package', 'sluice')).toMatchObject({
    code: 2,
    stderr:
      'ken: The project has sluice in several versions: 4.1.0 (package-lock.json), 9.9.9 (Cargo.lock).\n' +
      'hint: Choose one: --ref version:sluice@4.1.0.\n',
  });
  const created = await place.create('--ref', 'version:sluice@4.1.0');
  expect(created.code, created.stderr).toBe(0);
  expect((await place.create('--ref', 'main', '--package', 'sluice')).stderr).toContain('has two refs.');
});
