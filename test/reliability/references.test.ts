import { chmodSync, chownSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { LAUNCHER as launcher } from '../cli/launcher.ts';
import { type ReferencePlace, referencePlace } from '../references/library.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { killWhileWriting } from './kill-while-writing.ts';
import { onSmallDisk, smallDiskProblem } from './small-disk.ts';

const child = path.join(import.meta.dirname, 'ken-child.ts');

function filesOf(version: string): Record<string, string> {
  const paragraph = (at: number) =>
    `# Part ${at}\n\n${`Words of ${version} about part ${at}. `.repeat(40)}\n`;
  return Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`docs/part-${at}.md`, paragraph(at)]));
}

const environment = (home: string) => ({ HOME: home, KEN_HOME: home, LANG: 'C.UTF-8', TZ: 'UTC' });

function homeOf(place: ReferencePlace, prepared: string) {
  const homes: string[] = [];
  return {
    homes,
    /** A copy of the prepared state for each round. */
    next(): string {
      const home = temporaryDirectory();
      cpSync(prepared, home, { recursive: true });
      homes.push(home);
      return home;
    },
    ken: (words: readonly string[], home: string) => place.ken(words, { environment: environment(home) }),
  };
}

it('kill -9 while a topic is created: there is none or a whole one, and the index agrees after the next search', async (context) => {
  const place = referencePlace(filesOf('one'));
  const { next, homes, ken } = homeOf(place, place.home);
  const words = ['ref', 'create', '--title', 'Parts', '--git', place.url];
  let whole = 0;
  const rounds = scaled(3);
  const counts = await killWhileWriting(
    () => ({ command: process.execPath, arguments: [child, ...words], environment: environment(next()) }),
    rounds,
    async ({ phase }) => {
      const home = homes.at(-1) ?? '';
      const { topics, broken } = JSON.parse((await ken(['ref', 'ls', '--json'], home)).stdout);
      expect(broken).toEqual([]);
      whole += topics.length;
      if (phase === 'after') expect(topics).toHaveLength(1);
      if (topics.length === 0) expect(await ken(words, home)).toMatchObject({ code: 0 });
      expect(await ken(['ref', 'search', '"about part 39"'], home)).toMatchObject({ code: 0 });
      expect(await ken(['ref', 'doctor'], home)).toMatchObject({
        code: 0,
        stderr: '1 topic, 40 files: nothing is wrong.\n',
      });
      expect(await ken(['ref', 'reindex', '--json'], home)).toMatchObject({
        stdout: expect.stringContaining('"tidied":0'),
      });
    },
  );
  await context.annotate(`killed: ${JSON.stringify(counts)}; a whole topic was there ${whole} times`);
  expect(counts.before + counts.inside + counts.after).toBe(rounds);
}, 600_000);

it('kill -9 while a topic is refreshed: the old state or the new one, never parts of both', async (context) => {
  const place = referencePlace(filesOf('one'));
  await place.ken(['ref', 'create', '--title', 'Parts', '--git', place.url]);
  const prepared = temporaryDirectory();
  cpSync(place.home, prepared, { recursive: true });
  place.commit(filesOf('two'));
  const { next, homes, ken } = homeOf(place, prepared);
  let fresh = 0;
  const counts = await killWhileWriting(
    () => ({
      command: process.execPath,
      arguments: [child, 'ref', 'refresh', 'parts'],
      environment: environment(next()),
    }),
    scaled(3),
    async ({ phase }) => {
      const home = homes.at(-1) ?? '';
      expect(await ken(['ref', 'search', '"about part 39"'], home)).toMatchObject({ code: 0 });
      expect(await ken(['ref', 'doctor'], home)).toMatchObject({
        code: 0,
        stderr: '1 topic, 40 files: nothing is wrong.\n',
      });
      await ken(['ref', 'reindex'], home);
      const files = path.join(home, 'data/references/parts/files/docs');
      const versions = readdirSync(files).map(
        (name) => /Words of (\w+)/.exec(readFileSync(path.join(files, name), 'utf8'))?.[1],
      );
      expect([40, new Set(versions).size]).toEqual([versions.length, 1]);
      if (versions[0] === 'two') fresh += 1;
      if (phase === 'after') expect(versions[0]).toBe('two');
      expect(await ken(['ref', 'refresh', 'parts'], home)).toMatchObject({ code: 0 });
      expect(await ken(['ref', 'search', '"words of two"'], home)).toMatchObject({ code: 0 });
    },
  );
  await context.annotate(`killed: ${JSON.stringify(counts)}; the new state was there ${fresh} times`);
}, 600_000);

it(
  'of several processes that create one title one succeeds; different titles all do',
  async () => {
    const place = referencePlace(filesOf('one'));
    const create = (title: string) =>
      place.ken(['ref', 'create', '--title', title, '--git', place.url, '--path', 'docs/part-1.md']);
    const same = await Promise.all([create('Parts'), create('Parts'), create('Parts')]);
    expect(same.map(({ code }) => code).sort()).toEqual([0, 5, 5]);
    const titles = Array.from({ length: scaled(4) }, (_, at) => `Title ${at}`);
    const all = await Promise.all(titles.map(create));
    expect(all.map(({ code, stderr }) => (code === 0 ? 'ok' : stderr))).toEqual(titles.map(() => 'ok'));
    const { topics } = JSON.parse((await place.ken(['ref', 'ls', '--json'])).stdout);
    expect(topics).toHaveLength(titles.length + 1);
    expect(await place.ken(['ref', 'doctor'])).toMatchObject({ code: 0 });
  },
  scaled(120_000),
);

it('a full disk is a clear error, and nothing of the topic is there', (context) => {
  const problem = smallDiskProblem();
  if (problem) return context.skip(problem);
  const library = temporaryDirectory();
  const place = referencePlace(filesOf('one'), `references.root = "${library}"\n`);
  const script = `"$0" "$1" ref import "$2" --title Parts; echo "exit $?"; cd / && find "$3" -mindepth 1 | sort`;
  const { stdout, stderr } = onSmallDisk(library, '100k', [
    'env',
    ...Object.entries(environment(place.home)).map(([name, value]) => `${name}=${value}`),
    'bash',
    '-c',
    script,
    process.execPath,
    launcher,
    path.join(place.repository, 'docs'),
    library,
  ]);
  expect(stderr).toMatch(
    /^ken: Cannot write .*: the disk is full\.\nhint: Free some space and try again\. Nothing was changed\.\n$/,
  );
  expect(stdout.split('\n').map((line) => line.replace(library, ''))).toEqual([
    'exit 1',
    '/.staging',
    '/.writer.lock',
    '',
  ]);
});

it('a library that may only be read is searched, and says what it cannot do', async (context) => {
  if (process.getuid?.() !== 0) return context.skip('only root can become somebody who may not write');
  const place = referencePlace(filesOf('one'));
  await place.ken(['ref', 'create', '--title', 'Parts', '--git', place.url]);
  const library = path.join(temporaryDirectory(), 'library');
  cpSync(path.join(place.home, 'data/references'), library, { recursive: true });
  const reader = referencePlace(filesOf('one'), `references.root = "${library}"\n`);
  for (const open of [path.dirname(library), path.dirname(reader.home)]) chmodSync(open, 0o755);
  for (const name of ['.', ...readdirSync(reader.home, { recursive: true, encoding: 'utf8' })])
    chownSync(path.join(reader.home, name), 65534, 65534);
  const ken = (words: readonly string[]) => reader.ken(words, { asNobody: true });
  expect(await ken(['search', '--in', 'refs', '"about part 39"'])).toMatchObject({ code: 0, stderr: '' });
  expect(await ken(['ref', 'doctor'])).toMatchObject({ code: 0 });
  expect(await ken(['ref', 'update', 'parts', '--tag', 'x'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^ken: Cannot write .*: permission denied\.\nhint: /),
  });
  expect(await ken(['ref', 'delete', 'parts', '--yes'])).toMatchObject({ code: 1 });
  expect(existsSync(path.join(library, 'parts/files/docs/part-39.md'))).toBe(true);
});
