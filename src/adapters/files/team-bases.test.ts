import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { teamBases } from './team-bases.ts';

it('keeps how both sides were last equal, for each place of its own', async () => {
  const directory = path.join(temporaryDirectory(), 'workspaces/garden');
  const [one, other] = [teamBases(directory, 'a/garden at x'), teamBases(directory, 'b/garden at x')];
  expect(await one.all()).toEqual(new Map());
  await one.put('subjects project', { digest: '1', begun: '2' });
  await one.put('reference signals', { digest: '3' });
  await other.put('subjects project', { digest: '9' });
  await one.put('subjects project', { digest: '2' });
  expect(Object.fromEntries(await teamBases(directory, 'a/garden at x').all())).toEqual({
    'subjects project': { digest: '2' },
    'reference signals': { digest: '3' },
  });
  expect(Object.fromEntries(await other.all())).toEqual({ 'subjects project': { digest: '9' } });
});

it.each(['', 'not json', '[]', '{"a/garden at x": 5}', '{"a/garden at x": {"k": {"digest": 5}}}'])(
  'begins anew when the file holds %j',
  async (text) => {
    const directory = temporaryDirectory();
    mkdirSync(directory, { recursive: true });
    writeFileSync(path.join(directory, 'team.json'), text);
    const bases = teamBases(directory, 'a/garden at x');
    expect(await bases.all()).toEqual(new Map());
    await bases.put('k', { digest: '1' });
    expect(Object.fromEntries(await bases.all())).toMatchObject({ k: { digest: '1' } });
    expect(() => JSON.parse(readFileSync(path.join(directory, 'team.json'), 'utf8'))).not.toThrow();
  },
);
