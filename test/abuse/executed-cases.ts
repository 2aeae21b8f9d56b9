/** Attempts to leave something that other programs execute, or a link that leads out for others. */

import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Step } from '../wasm/probe-host.ts';
import type { EscapeCase } from './escape-cases.ts';
import type { EscapeWorld } from './escape-world.ts';

const W = '/workspace';
const mkdir = (place: string): Step => ({ do: 'mkdir', on: W, path: place });
const rename = (place: string, to: string): Step => ({ do: 'rename', on: W, path: place, to });
const write = (place: string, on = W): Step[] => [
  { do: 'open', on, path: place, how: { create: true }, wanted: { read: true, write: true } },
  { do: 'write', text: 'CHANGED' },
];

const leaves =
  (...names: readonly string[]) =>
  (_: unknown, { workspace }: EscapeWorld) =>
    names.every((name) => existsSync(path.join(workspace, name)));

const files = [
  ...['.gitmodules', '.gitconfig', '.envrc', '.bashrc', '.zshenv', '.profile', 'dir/.envrc', '.ENVRC'],
  ...['.kenrc', 'dir/.bash_profile', '.mcp.json', '.npmrc', '.gitlab-ci.yml', '.nvim.lua', '.envrc.'],
].map(
  (name): EscapeCase => ({
    name: `executed: creating ${name}`,
    steps: () => write(name),
    harm: leaves(name),
  }),
);

const directories = ['.husky', '.githooks', '.vscode', '.idea', 'dir/.husky', '.claude', '.devcontainer'].map(
  (name): EscapeCase => ({
    name: `executed: creating ${name}`,
    steps: () => [mkdir(name), ...write(`${name}/run`)],
    harm: leaves(`${name}/run`),
  }),
);

const inside = [
  ['.github', 'workflows'],
  ['node_modules', '.bin'],
].flatMap(([outer = '', inner = '']): EscapeCase[] => [
  {
    name: `executed: creating ${outer}/${inner}`,
    steps: () => [mkdir(outer), mkdir(`${outer}/${inner}`), ...write(`${outer}/${inner}/run`)],
    harm: leaves(`${outer}/${inner}/run`),
  },
  {
    name: `executed: ${inner} of a directory that becomes ${outer}`,
    steps: () => [mkdir('new'), mkdir(`new/${inner}`), ...write(`new/${inner}/run`), rename('new', outer)],
    harm: leaves(`${outer}/${inner}/run`),
  },
  {
    name: `executed: moving ${inner} into ${outer}`,
    steps: () => [mkdir(outer), mkdir('new'), ...write('new/run'), rename('new', `${outer}/${inner}`)],
    harm: leaves(`${outer}/${inner}/run`),
  },
  {
    name: `executed: creating ${inner} in a directory that became ${outer} while open`,
    steps: () => [
      mkdir('new'),
      { do: 'open', on: W, path: 'new', as: 'held' },
      rename('new', outer),
      { do: 'mkdir', on: 'held', path: inner },
      ...write(`${inner}/run`, 'held'),
      // A host that knows directories by their paths has lost this one.
      mkdir(`${outer}/${inner}`),
      ...write(`${outer}/${inner}/run`),
    ],
    harm: leaves(`${outer}/${inner}/run`),
  },
]);

const repositories: EscapeCase[] = [
  {
    name: 'executed: a repository without .git',
    steps: () => [mkdir('objects'), mkdir('refs'), ...write('config'), ...write('HEAD')],
    harm: leaves('HEAD', 'objects', 'refs'),
  },
  {
    name: 'executed: a repository without .git, its HEAD renamed',
    steps: () => [mkdir('dir/objects'), mkdir('dir/refs'), ...write('dir/x'), rename('dir/x', 'dir/HEAD')],
    harm: leaves('dir/HEAD', 'dir/objects', 'dir/refs'),
  },
  {
    name: 'executed: a repository whose parts are elsewhere',
    steps: () => [...write('HEAD'), mkdir('dir/objects'), mkdir('dir/refs'), ...write('commondir')],
    harm: leaves('HEAD', 'commondir'),
  },
  {
    name: 'executed: the settings of a bare repository',
    prepare: ({ workspace }) => {
      for (const name of ['objects', 'refs']) mkdirSync(path.join(workspace, name));
      for (const name of ['HEAD', 'config']) writeFileSync(path.join(workspace, name), '');
    },
    steps: () => write('config'),
    harm: (_, { workspace }) => readFileSync(path.join(workspace, 'config'), 'utf8') !== '',
  },
];

const leadsOut = (place: string) => (_: unknown, world: EscapeWorld) =>
  statSync(path.join(world.workspace, place), { throwIfNoEntry: false })?.ino ===
  statSync(path.join(world.outside, 'secret.txt')).ino;

const moved: EscapeCase[] = [
  {
    name: 'moved: a relative link to where it leads out',
    prepare: ({ workspace }) => symlinkSync('../outside/secret.txt', path.join(workspace, 'dir/link')),
    steps: () => [rename('dir/link', 'link')],
    harm: leadsOut('link'),
  },
  {
    name: 'moved: a directory with a relative link to where it leads out',
    prepare({ workspace }) {
      mkdirSync(path.join(workspace, 'dir/sub'));
      symlinkSync('../../outside/secret.txt', path.join(workspace, 'dir/sub/link'));
    },
    steps: () => [rename('dir/sub', 'sub')],
    harm: leadsOut('sub/link'),
  },
];

export const EXECUTED: readonly EscapeCase[] = [
  ...files,
  ...directories,
  ...inside,
  ...repositories,
  ...moved,
];
