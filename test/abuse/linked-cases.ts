/** Attempts to change what other programs execute where a protected name is a link: by the other name. */

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
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

type Links = Readonly<Record<string, string>>;

/** Files of the workspace with what they say, and links with where they lead. */
function prepared(files: readonly string[], links: Links) {
  return ({ workspace }: EscapeWorld) => {
    for (const name of files) {
      const file = path.join(workspace, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, 'harmless');
    }
    for (const [name, target] of Object.entries(links)) {
      mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
      symlinkSync(target, path.join(workspace, name));
    }
  };
}

/** Another program, which reads this name, executes the change. */
const executes =
  (name: string) =>
  (_: unknown, { workspace }: EscapeWorld) => {
    try {
      return readFileSync(path.join(workspace, name), 'utf8').startsWith('CHANGED');
    } catch {
      return false;
    }
  };

const TASKS = 'shared/vscode/tasks.json';
const LINK = { '.vscode': 'shared/vscode' };

function attempt(
  name: string,
  [files, links]: [readonly string[], Links],
  executed: string,
  steps: readonly Step[],
): EscapeCase {
  return {
    name: `linked: ${name}`,
    prepare: prepared(files, links),
    steps: () => [...steps],
    harm: executes(executed),
  };
}

const granting = (
  inside: string,
  [files, links]: [readonly string[], Links],
  written: string,
): EscapeCase => ({
  name: `linked: ${written} in ${inside}, which is granted`,
  prepare: prepared(files, links),
  steps: () => write(written),
  harm: executes('.vscode/tasks.json'),
  grant: ({ workspace }) => ({
    guestPath: W,
    hostPath: path.join(workspace, inside),
    access: 'write',
    within: workspace,
  }),
});

const named = (config: string, executed: string): EscapeCase => ({
  name: `linked: ${executed}, which the settings of git name`,
  prepare(world) {
    prepared([executed], {})(world);
    writeFileSync(path.join(world.workspace, '.git/config'), config);
  },
  steps: () => write(executed),
  harm: executes(executed),
});

export const LINKED: readonly EscapeCase[] = [
  attempt('a directory, by its other name', [[TASKS], LINK], '.vscode/tasks.json', write(TASKS)),
  attempt(
    'a directory, through the link',
    [[TASKS], LINK],
    '.vscode/tasks.json',
    write('.vscode/tasks.json'),
  ),
  attempt('a directory that is held open', [[TASKS], LINK], '.vscode/tasks.json', [
    { do: 'open', on: W, path: 'shared/vscode', as: 'held' },
    ...write('tasks.json', 'held'),
  ]),
  attempt('a file', [['shared/envrc'], { '.envrc': 'shared/envrc' }], '.envrc', write('shared/envrc')),
  attempt(
    'a file that is not there yet',
    [['shared/x'], { '.envrc': 'shared/envrc' }],
    '.envrc',
    write('shared/envrc'),
  ),
  attempt('a directory that is not there yet', [['shared/x'], LINK], '.vscode/tasks.json', [
    mkdir('shared/vscode'),
    ...write(TASKS),
  ]),
  attempt('a new file by moving', [['shared/x'], { '.envrc': 'shared/envrc' }], '.envrc', [
    ...write('new'),
    rename('new', 'shared/envrc'),
  ]),
  attempt('a directory that is moved, changed and moved back', [[TASKS], LINK], '.vscode/tasks.json', [
    rename('shared/vscode', 'other'),
    ...write('other/tasks.json'),
    rename('other', 'shared/vscode'),
  ]),
  attempt('what lies in a directory that is moved, and back', [[TASKS], LINK], '.vscode/tasks.json', [
    rename('shared', 'other'),
    ...write('other/vscode/tasks.json'),
    rename('other', 'shared'),
  ]),
  attempt('a directory that becomes one with it', [['x'], LINK], '.vscode/tasks.json', [
    mkdir('new'),
    mkdir('new/vscode'),
    ...write('new/vscode/tasks.json'),
    rename('new', 'shared'),
  ]),
  attempt(
    'a link to a link, the second replaced',
    [['shared/x'], { '.husky': 'second', second: 'shared' }],
    '.husky/pre-commit',
    [{ do: 'unlink', on: W, path: 'second' }, mkdir('second'), ...write('second/pre-commit')],
  ),
  attempt(
    'a hook of git that is a link',
    [['scripts/check'], { '.git/hooks/pre-commit': '../../scripts/check' }],
    '.git/hooks/pre-commit',
    write('scripts/check'),
  ),
  attempt(
    'all hooks of git',
    [['scripts/pre-push'], { 'sub/.git/hooks': '../../scripts' }],
    'sub/.git/hooks/pre-push',
    write('scripts/pre-push'),
  ),
  attempt(
    'the directory around workflows',
    [['ci/workflows/build.yml'], { '.github': 'ci' }],
    '.github/workflows/build.yml',
    write('ci/workflows/build.yml'),
  ),
  attempt('the packages', [['packages/x'], { node_modules: 'packages' }], 'node_modules/.bin/tool', [
    mkdir('packages/.bin'),
    ...write('packages/.bin/tool'),
  ]),
  attempt(
    'a link in a directory below',
    [[TASKS], { 'dir/deep/.vscode': '../../shared/vscode' }],
    'dir/deep/.vscode/tasks.json',
    write(TASKS),
  ),
  attempt(
    'a link in what a link leads to',
    [['shared/tasks'], { ...LINK, 'shared/vscode/tasks.json': '../tasks' }],
    '.vscode/tasks.json',
    write('shared/tasks'),
  ),
  attempt(
    'a start-up file above the workspace',
    [['dotfiles/bashrc'], { '../.bashrc': 'workspace/dotfiles/bashrc' }],
    '../.bashrc',
    write('dotfiles/bashrc'),
  ),
  named('[core]\n\thooksPath = scripts/hooks\n', 'scripts/hooks/pre-commit'),
  named('[core]\n\tHooksPath = "./scripts" ; ours\n', 'scripts/pre-commit'),
  named('[include] path = ../settings/git\n', 'settings/git'),
  granting('shared/vscode', [[TASKS], LINK], 'tasks.json'),
  granting('shared', [[TASKS], LINK], 'vscode/tasks.json'),
  granting('docs', [['.vscode/tasks.json'], { docs: '.vscode' }], 'tasks.json'),
];
