import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandbox } from '../cli/ken.ts';
import { gardenWorkspace } from '../mcp/garden.ts';

const root = path.join(import.meta.dirname, '../..');
const examples = path.join(root, 'examples/library');

/** What each prints, in a workspace with two topics. */
const PRINTED: Readonly<Record<string, string>> = {
  'call-a-tool.ts': 'true string\n',
  'follow-a-citation.ts': 'Push to main.\nWait.\nIt is as it was.\n',
  'keep-a-fact.ts': 'merged\nThe API listens on 9090. (cmd:ss -ltn)\ntools/failed\n',
  'search-everything.ts': 'Deploy: ken://kb/project/deploy#L3-L4\n',
  'read-a-topic.ts':
    'General Project Knowledge (project): deploy, overview\nskills (skills): pdf\n# Deploy\n\nPush to main.\nWait.\n\n',
};

describe('the examples of the documentation', () => {
  it.each(readdirSync(examples))('%s works', async (name) => {
    const { root: directory, home } = gardenWorkspace();
    const child = spawn(process.execPath, [path.join(examples, name)], {
      cwd: directory,
      env: { PATH: process.env.PATH ?? '', HOME: home, KEN_HOME: home },
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk;
      });
    expect([await once(child, 'exit'), printed]).toEqual([[0, null], PRINTED[name]]);
  });

  it('are right by the types that are published, for a program that has only those', () => {
    const place = sandbox();
    mkdirSync(path.join(place.root, 'node_modules'));
    symlinkSync(root, path.join(place.root, 'node_modules/ken'));
    symlinkSync(path.join(root, 'node_modules/@types'), path.join(place.root, 'node_modules/@types'));
    for (const name of readdirSync(examples)) place.write(name, readFileSync(path.join(examples, name)));
    const wrong = "import { openWorkspace } from 'ken';\nawait (await openWorkspace('.')).learn(3);\n";
    place.write('wrong.ts', wrong);
    place.write('package.json', '{"type": "module"}');
    const options = { strict: true, module: 'nodenext', target: 'esnext', noEmit: true, types: ['node'] };
    writeFileSync(path.join(place.root, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    const tsc = path.join(root, 'node_modules/.bin/tsc');
    const run = () => execFileSync(tsc, ['-p', '.'], { cwd: place.root, encoding: 'utf8', stdio: 'pipe' });
    expect(run).toThrow(
      expect.objectContaining({ stdout: expect.stringMatching(/^wrong\.ts\(2,.*TS2345.*\n$/) }),
    );
  });
});

it('says what is missing where there is no workspace', async () => {
  const { openWorkspace, isKenError } = await import('../../src/library.ts');
  const failed = await openWorkspace(sandbox().root).catch((error: unknown) => error);
  expect(isKenError(failed)).toBe(true);
  expect(failed).toMatchObject({ code: 'workspace/not-found', hint: 'Run "ken init" to make it one.' });
});

it('asks nobody, even at a terminal, and refuses what a tool does not know', async () => {
  const { openWorkspace } = await import('../../src/library.ts');
  const { root: directory, home } = gardenWorkspace();
  await using ken = await openWorkspace(directory, { environment: { KEN_HOME: home, PATH: '' } });
  expect((await ken.tools()).map(({ name }) => name)).toContain('learn');
  await expect(ken.call('lern', {})).rejects.toMatchObject({
    code: 'tools/not-found',
    hint: 'Did you mean learn?',
  });
  await expect(ken.call('learn', { topik: 'x' })).rejects.toMatchObject({ code: 'tools/bad-arguments' });
});
