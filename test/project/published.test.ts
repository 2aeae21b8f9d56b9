import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { packageBars } from '../../scripts/package-size.mjs';
import { tourSteps } from '../../scripts/readme-tour.ts';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { type InstalledPackage, installPackage } from './installed-package.ts';

const root = path.join(import.meta.dirname, '../..');

let installed: InstalledPackage;

beforeAll(() => {
  installed = installPackage();
}, 120_000);

afterAll(() => installed.remove());

/** A workspace in a project that has installed ken. */
function place(): Sandbox {
  const made = sandbox('[kb.topic.project]\ntitle = "Project"\nsubjects = ".ken/kb/project"\n');
  made.write('.ken/kb/project/tea.md', '# Tea\n\nGreen tea is brewed with water at eighty degrees.\n');
  symlinkSync(path.join(installed.project, 'node_modules'), path.join(made.root, 'node_modules'));
  return made;
}

const inPackage = (...parts: readonly string[]) => path.join(installed.directory, ...parts);

function environment({ home }: Sandbox): Record<string, string> {
  const programs = `${path.join(installed.project, 'node_modules/.bin')}:${path.dirname(process.execPath)}`;
  return { PATH: `${programs}:/usr/bin:/bin`, HOME: home, KEN_HOME: home };
}

function run(at: Sandbox, program: string, ...words: readonly string[]): string {
  const { PATH = '' } = environment(at);
  const file = program === 'ken' ? path.join(PATH.split(':')[0] ?? '', 'ken') : process.execPath;
  const given = program === 'ken' ? words : [program, ...words];
  return execFileSync(file, given, { cwd: at.root, env: environment(at), encoding: 'utf8', stdio: 'pipe' });
}

it('brings no other package', () => {
  expect(
    readdirSync(path.join(installed.project, 'node_modules')).filter((name) => !name.startsWith('.')),
  ).toEqual(['@ken-kb']);
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(inPackage('package.json'), 'utf8'),
  );
  expect({ dependencies, optionalDependencies, peerDependencies }).toEqual({});
});

it('is small', async ({ annotate }) => {
  const files = readdirSync(installed.directory, { recursive: true, encoding: 'utf8' });
  const sizes = files.map((file) => statSync(inPackage(file))).filter((stats) => stats.isFile());
  const megabytes = {
    packed: installed.packedBytes / 1e6,
    unpacked: sizes.reduce((sum, { size }) => sum + size, 0) / 1e6,
  };
  await annotate(`packed ${megabytes.packed.toFixed(1)} MB, unpacked ${megabytes.unpacked.toFixed(1)} MB`);
  expect(megabytes.packed).toBeLessThan(packageBars.packed);
  expect(megabytes.unpacked).toBeLessThan(packageBars.unpacked);
});

it('has the documents without pictures, the manual pages, the types, and no file of its making', () => {
  const files = readdirSync(installed.directory, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => /\.(png|svg|map|test\.ts)$|\.stamp$/.test(file))).toEqual([]);
  const pages = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
  expect(pages.filter((name) => !files.includes(`docs/${name}`))).toEqual([]);
  expect(files).toContain('dist/library.d.ts');
  const manual = files.filter((file) => /^dist\/man\/.*\.1$/.test(file)).map((file) => `./${file}`);
  expect(manual.sort()).toEqual(manifest.man);
});

it('brings the licences of the packages that it contains', () => {
  const licences = readFileSync(inPackage('dist/LICENSES.txt'), 'utf8');
  const contained = ['@ai-sdk/anthropic', '@modelcontextprotocol/server', 'marked', 'parse5', 'smol-toml'];
  expect(contained.filter((name) => !licences.includes(name))).toEqual([]);
  expect(licences.split('Permission is hereby granted').length).toBeGreaterThan(3);
});

it('searches and answers without any package beside it', () => {
  const at = place();
  expect(run(at, 'ken', 'search', 'brewed')).toContain('.ken/kb/project/tea.md:3');
  expect(run(at, 'ken', 'query', '--new', 'How is green tea brewed?')).toContain('water at eighty degrees');
});

it('serves MCP without any package beside it', async () => {
  const at = place();
  const client = new Client({ name: 'test', version: '1.0.0' });
  const args = [inPackage('bin/ken.cjs'), 'mcp'];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    cwd: at.root,
    env: environment(at),
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('search');
  await client.close();
});

it.each([
  ['ES module', 'program.mjs', `import { isKenError, openWorkspace } from '${manifest.name}';`],
  ['CommonJS program', 'program.cjs', `const { isKenError, openWorkspace } = require('${manifest.name}');`],
])('is loaded by an %s', (_, file, load) => {
  const at = place();
  const program = at.write(
    file,
    `${load}
async function main() {
  const ken = await openWorkspace('.');
  const { hits } = await ken.search('brewed');
  const failed = await ken.learn('nothing').catch((error) => error);
  console.log(hits.length, isKenError(failed));
  await ken.close();
}
main();
`,
  );
  expect(run(at, program)).toBe('1 true\n');
});

describe('the tour of its README', () => {
  const steps = tourSteps(readFileSync(path.join(root, 'README.md'), 'utf8'));

  it('works word by word, with the package that npm installed', () => {
    expect(steps.length).toBeGreaterThan(5);
    const at = sandbox();
    for (const { commands, shows } of steps) {
      const script = `cd "$(cat "${at.home}/cwd" 2>/dev/null || pwd)"\nset -e\n${commands}pwd > "${at.home}/cwd"\n`;
      const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
        cwd: at.root,
        env: environment(at),
        encoding: 'utf8',
      });
      expect({ commands, status, problem: status === 0 ? '' : stdout + stderr }).toEqual({
        commands,
        status: 0,
        problem: '',
      });
      const lines = stdout.split('\n').map((line) => line.trimEnd());
      expect(shows.filter((shown) => !lines.some(isLike(shown)))).toEqual([]);
    }
  });

  it('is followed by lines that work too, each of them', () => {
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
    const others = blocks.filter((block) => !steps.some(({ commands }) => commands === block));
    const lines = others.flatMap((block) => block.trim().split('\n'));
    const [install = '', ...rest] = lines;
    // The package is installed already, by npm.
    expect(install).toBe(`npm install --global ${manifest.name}`);
    expect(rest.length).toBeGreaterThan(1);
    const at = sandbox();
    for (const line of rest) {
      const { status, stderr } = spawnSync('bash', ['-c', line], {
        cwd: at.root,
        env: environment(at),
        encoding: 'utf8',
      });
      expect({ line, status, problem: status === 0 ? '' : stderr }).toEqual({ line, status: 0, problem: '' });
    }
  });

  it('uses only commands of the path that the reader is on', () => {
    const words = steps.flatMap(({ commands }) =>
      [...commands.matchAll(/^ken (\w+)/gm)].map(([, word]) => word),
    );
    expect(words).toEqual(expect.arrayContaining(['init', 'search', 'query', 'k', 'kb', 'setup', 'status']));
  });
});

/** `…` in a line of the README stands for anything. */
function isLike(shown: string): (line: string) => boolean {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`);
  return (line) => pattern.test(line);
}
