import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/domain/search/engine/hit.ts';
import { git } from '../git/repositories.ts';
import type { Sandbox } from './ken.ts';
import { sandboxHere } from './ken-here.ts';
import { writeOwnConfig } from './own-config.ts';

const paths = async ({ ken }: Sandbox, ...words: string[]) => {
  const { hits } = JSON.parse((await ken(['search', '--json', ...words])).stdout) as Envelope;
  return hits.map(({ citation }) => citation.path);
};

it('serves the personal workspace outside of any other; only what writes makes it', async () => {
  const place = sandboxHere();
  const personal = path.join(place.home, 'data/personal');
  expect(await place.ken(['k', 'list'])).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'ken: There is no workspace here or in any directory above.\nhint: Run "ken init" to make this directory one.\n',
  });
  const fact = ['--id', 'tea', '--title', 'Tea', '--text', 'Green.', '--provenance', 'person:ada'];
  expect(await place.ken(['k', 'add', ...fact])).toEqual({
    code: 0,
    stdout: 'tea\n',
    stderr: `${personal} is your personal workspace, which ken uses wherever there is no other.\nIt is a new entry.\n`,
  });
  expect(existsSync(path.join(personal, '.ken/config.toml'))).toBe(true);
  expect(JSON.parse((await place.ken(['k', 'list', '--json'])).stdout).entries).toMatchObject([
    { id: 'tea' },
  ]);
  place.write('.ken/config.toml', '');
  expect(JSON.parse((await place.ken(['k', 'list', '--json'])).stdout).entries).toEqual([]);
});

it('makes a whole repository searchable, without what .gitignore names', async () => {
  const place = sandboxHere();
  place.write('.gitignore', '*.log\n/dist/\n');
  place.write('docs/ferries.md', '# Ferries\n\nZebras board the ferry first.\n');
  place.write('src/board.ts', 'export function boardZebras() {\n  return "zebras first";\n}\n');
  place.write('dist/board.js', 'function boardZebras() { return "zebras first"; }\n');
  place.write('zebras.log', 'zebras zebras zebras\n');
  git(place.root, ['init', '-q']);
  expect(await place.ken(['init', '--index-repo'])).toMatchObject({
    code: 0,
    stderr:
      `${place.root} is a workspace. "ken status" shows what is in it.\n` +
      'The topic "repo" is the whole directory; "ken search" searches it.\n',
  });
  expect((await paths(place, '--topic', 'repo', 'zebras first')).toSorted()).toEqual([
    'docs/ferries.md',
    'src/board.ts',
  ]);
  const config = readFileSync(path.join(place.root, '.ken/config.toml'), 'utf8');
  await place.ken(['init', '--index-repo']);
  expect(readFileSync(path.join(place.root, '.ken/config.toml'), 'utf8')).toBe(config);
  const { stdout } = await place.ken(['search', '--uri', '--in', 'kb', 'board zebras']);
  const uri = /ken:\/\/\S+/.exec(stdout)?.[0] ?? '';
  expect((await place.ken(['show', uri])).stdout.toLowerCase()).toContain('zebras');
});

it('searches the topics of the library that references.scope names', async () => {
  const place = sandboxHere('');
  place.write('manuals/quay.md', '# Quay\n\nThe quay floods in winter storms.\n');
  writeOwnConfig(place.home, 'approvals.noninteractive = "allow"\n');
  const manuals = path.join(place.root, 'manuals');
  git(manuals, ['init', '-q']);
  git(manuals, ['add', '.']);
  git(manuals, ['commit', '-qm', 'x']);
  expect(await place.ken(['ref', 'create', '--title', 'Manuals', '--git', manuals])).toMatchObject({
    code: 0,
  });
  const found = (scope: string) =>
    paths(place, '-c', `references.scope:=${scope}`, 'quay floods winter storms');
  expect(await found('["all"]')).toEqual(['quay.md']);
  expect(await found('["manuals"]')).toEqual(['quay.md']);
  expect(await found('["topic-other"]')).toEqual([]);
  expect(await found('["none"]')).toEqual([]);
});
