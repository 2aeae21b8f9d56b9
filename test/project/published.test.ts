import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { type Sandbox, sandbox } from '../cli/ken.ts';

const root = path.join(import.meta.dirname, '../..');

/** A workspace whose project has ken as it is published, and nothing else, in node_modules. */
function installed(): Sandbox & { readonly launcher: string } {
  const place = sandbox('[kb.topic.project]\ntitle = "Project"\nsubjects = ".ken/kb/project"\n');
  place.write('.ken/kb/project/tea.md', '# Tea\n\nGreen tea is brewed with water at eighty degrees.\n');
  const target = path.join(place.root, 'node_modules/ken');
  mkdirSync(target, { recursive: true });
  for (const part of ['package.json', 'bin', 'dist', 'models', 'schema', 'skills'])
    cpSync(path.join(root, part), path.join(target, part), { recursive: true });
  return { ...place, launcher: path.join(target, 'bin/ken.cjs') };
}

function run({ root: cwd, home }: Sandbox, ...words: string[]): string {
  const env = { PATH: process.env.PATH ?? '', HOME: home, KEN_HOME: home };
  return execFileSync(process.execPath, words, { cwd, env, encoding: 'utf8' });
}

it('needs no package beside it', () => {
  expect(manifest).not.toHaveProperty('dependencies');
});

it('searches and answers without any package beside it', () => {
  const place = installed();
  expect(run(place, place.launcher, 'search', 'brewed')).toContain('.ken/kb/project/tea.md:3');
  expect(run(place, place.launcher, 'query', '--new', 'How is green tea brewed?')).toContain(
    'water at eighty degrees',
  );
});

it('serves MCP without any package beside it', async () => {
  const place = installed();
  const client = new Client({ name: 'test', version: '1.0.0' });
  const env = { PATH: process.env.PATH ?? '', HOME: place.home, KEN_HOME: place.home };
  const args = [place.launcher, 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: place.root, env }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('search');
  await client.close();
});

it('is imported without any package beside it', () => {
  const place = installed();
  const program = place.write(
    'program.mjs',
    `import { isKenError, openWorkspace } from 'ken';
const ken = await openWorkspace('.');
const { hits } = await ken.search('brewed');
const failed = await ken.learn('nothing').catch((error) => error);
console.log(hits.length, isKenError(failed));
await ken.close();
`,
  );
  expect(run(place, program)).toBe('1 true\n');
});
