/** Attempts of a hostile guest. Each does harm in a host without guards. */

import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { GrantedDirectory } from '../../src/domain/tools/component-host.ts';
import type { Gave, Step } from '../wasm/probe-host.ts';
import type { EscapeWorld } from './escape-world.ts';
import { EXECUTED } from './executed-cases.ts';
import { LINKED } from './linked-cases.ts';

export interface EscapeCase {
  readonly name: string;
  readonly prepare?: (world: EscapeWorld) => void;
  /** Access to the workspace; `write` by default. */
  readonly access?: 'read' | 'write';
  /** Granted instead of the workspace. */
  readonly grant?: (world: EscapeWorld) => GrantedDirectory;
  /** Granted besides, to be read: the directory outside, as `/other`. */
  readonly readsOther?: boolean;
  readonly steps: (world: EscapeWorld) => Step[];
  /** The harm: a secret was read, a place was changed, or what the function finds. */
  readonly harm:
    | 'reads-outside'
    | 'changes-outside'
    | 'changes-workspace'
    | 'changes-protected'
    | ((gave: Gave[], world: EscapeWorld) => boolean);
}

const W = '/workspace';
const open = (target: string, more: Partial<Step> = {}): Step => ({
  do: 'open',
  on: W,
  path: target,
  ...more,
});
const read: Step = { do: 'read' };
const readFrom = (target: string): Step[] => [open(target), read];
const write = (target: string, how = {}): Step[] => [
  open(target, { how, wanted: { read: true, write: true } }),
  { do: 'write', text: 'CHANGED' },
];
const append = (target: string): Step[] => [
  open(target, { wanted: { write: true } }),
  { do: 'append', text: 'CHANGED' },
];
const truncate = (target: string): Step[] => [
  open(target, { how: { truncate: true }, wanted: { read: true, write: true } }),
];
const at = (action: string, target: string, more: Partial<Step> = {}): Step => ({
  do: action,
  on: W,
  path: target,
  ...more,
});
const succeeded = (gave: Gave[]) => gave.some((one) => one.error === undefined);

function link(target: string | ((world: EscapeWorld) => string), name: string) {
  return (world: EscapeWorld) =>
    symlinkSync(typeof target === 'string' ? target : target(world), path.join(world.workspace, name));
}
const toSecretFile = link('../outside/secret.txt', 'link');
const toOutside = link('../outside', 'link');
const toOutsideAbsolutely = link(({ outside }) => outside, 'link');

const paths: EscapeCase[] = [
  { name: 'a path with ..', steps: () => readFrom('../outside/secret.txt'), harm: 'reads-outside' },
  {
    name: '.. after a directory',
    steps: () => readFrom('dir/../../outside/secret.txt'),
    harm: 'reads-outside',
  },
  { name: '.. behind a dot', steps: () => readFrom('./../outside/secret.txt'), harm: 'reads-outside' },
  { name: '.. between dots', steps: () => readFrom('dir/./../../outside/secret.txt'), harm: 'reads-outside' },
  {
    name: '.. with doubled slashes',
    steps: () => readFrom('..//outside//secret.txt'),
    harm: 'reads-outside',
  },
  {
    name: '.. up to the root of the system',
    steps: ({ outside }) => readFrom(`${'../'.repeat(30)}${outside.slice(1)}/secret.txt`),
    harm: 'reads-outside',
  },
  {
    name: 'an absolute path',
    steps: ({ outside }) => readFrom(`${outside}/secret.txt`),
    harm: 'reads-outside',
  },
  {
    name: 'an absolute path with two slashes',
    steps: ({ outside }) => readFrom(`/${outside}/secret.txt`),
    harm: 'reads-outside',
  },
  {
    name: 'a sibling whose name begins like the workspace',
    steps: () => readFrom('../workspace-sibling/secret.txt'),
    harm: 'reads-outside',
  },
  {
    name: '.. from the descriptor of a subdirectory',
    steps: () => [open('dir', { as: 'd' }), open('../../outside/secret.txt', { on: 'd' }), read],
    harm: 'reads-outside',
  },
  {
    name: '.. from the descriptor of a deep subdirectory',
    steps: () => [open('dir/deep', { as: 'd' }), open('../../../outside/secret.txt', { on: 'd' }), read],
    harm: 'reads-outside',
  },
  {
    name: 'the descriptor of ..',
    steps: () => [open('..', { as: 'up' }), open('outside/secret.txt', { on: 'up' }), read],
    harm: 'reads-outside',
  },
  {
    name: 'a list of the directory above',
    steps: () => [open('..'), { do: 'list' }],
    harm: (gave) => JSON.stringify(gave).includes('workspace-sibling'),
  },
  {
    name: 'a list of a directory outside',
    steps: () => [open('../outside'), { do: 'list' }],
    harm: 'reads-outside',
  },
  {
    name: 'the facts of a file outside',
    steps: () => [at('statAt', '../outside/secret.txt')],
    harm: 'reads-outside',
  },
  {
    name: 'the hash of a file outside',
    steps: () => [at('hashAt', '../outside/secret.txt')],
    harm: succeeded,
  },
  {
    name: 'the environment of the process through /proc',
    steps: () => readFrom('/proc/self/environ'),
    harm: succeeded,
  },
  {
    name: 'a stream of a file outside',
    steps: () => [open('../outside/secret.txt'), { do: 'readStream' }],
    harm: 'reads-outside',
  },
  {
    name: 'a file made outside',
    steps: () => write('../outside/new.txt', { create: true }),
    harm: 'changes-outside',
  },
  {
    name: 'a file overwritten outside',
    steps: () => write('../outside/secret.txt'),
    harm: 'changes-outside',
  },
  { name: 'a directory made outside', steps: () => [at('mkdir', '../outside/new')], harm: 'changes-outside' },
  {
    name: 'a file removed outside',
    steps: () => [at('unlink', '../outside/secret.txt')],
    harm: 'changes-outside',
  },
  {
    name: 'a file moved in from outside',
    steps: () => [at('rename', '../outside/secret.txt', { to: 'mine.txt' }), ...readFrom('mine.txt')],
    harm: 'reads-outside',
  },
  {
    name: 'a file moved out',
    steps: () => [at('rename', 'a.txt', { to: '../outside/moved.txt' })],
    harm: 'changes-outside',
  },
  {
    name: 'a hard link to a file outside',
    steps: () => [at('link', '../outside/secret.txt', { to: 'hard.txt' }), ...readFrom('hard.txt')],
    harm: 'reads-outside',
  },
  {
    name: 'the times of a file outside',
    steps: () => [at('setTimesAt', '../outside/secret.txt')],
    harm: 'changes-outside',
  },
];

const links: EscapeCase[] = [
  { name: 'a link to a file', prepare: toSecretFile, steps: () => readFrom('link'), harm: 'reads-outside' },
  {
    name: 'an absolute link to a file',
    prepare: link(({ outside }) => `${outside}/secret.txt`, 'link'),
    steps: () => readFrom('link'),
    harm: 'reads-outside',
  },
  {
    name: 'a link to a directory',
    prepare: toOutside,
    steps: () => readFrom('link/secret.txt'),
    harm: 'reads-outside',
  },
  {
    name: 'an absolute link to a directory',
    prepare: toOutsideAbsolutely,
    steps: () => readFrom('link/secret.txt'),
    harm: 'reads-outside',
  },
  {
    name: 'a link to a link',
    prepare: (world) => {
      toOutside(world);
      link('link', 'link-to-link')(world);
    },
    steps: () => readFrom('link-to-link/secret.txt'),
    harm: 'reads-outside',
  },
  {
    name: 'a link to the directory above',
    prepare: link('..', 'up'),
    steps: () => readFrom('up/outside/secret.txt'),
    harm: 'reads-outside',
  },
  {
    name: 'a link in a subdirectory',
    prepare: link('../../outside', 'dir/up'),
    steps: () => readFrom('dir/up/secret.txt'),
    harm: 'reads-outside',
  },
  {
    name: '.. behind a link into a subdirectory',
    prepare: link('dir/deep', 'short'),
    steps: () => readFrom('short/../../../outside/secret.txt'),
    harm: 'reads-outside',
  },
  {
    name: 'a link that is not followed at the end but on the way',
    prepare: toOutside,
    steps: () => [open('link/secret.txt', { follow: false }), read],
    harm: 'reads-outside',
  },
  {
    name: 'the descriptor of a link to a directory',
    prepare: toOutside,
    steps: () => [open('link', { as: 'd' }), open('secret.txt', { on: 'd' }), read],
    harm: 'reads-outside',
  },
  {
    name: 'a link with a slash behind it',
    prepare: toOutside,
    steps: () => [open('link/', { as: 'd', follow: false }), open('secret.txt', { on: 'd' }), read],
    harm: 'reads-outside',
  },
  {
    name: 'a list through a link',
    prepare: toOutside,
    steps: () => [open('link'), { do: 'list' }],
    harm: 'reads-outside',
  },
  {
    name: 'facts through a link',
    prepare: toSecretFile,
    steps: () => [at('statAt', 'link')],
    harm: 'reads-outside',
  },
  {
    name: 'the target of an absolute link',
    prepare: toOutsideAbsolutely,
    steps: () => [at('readlink', 'link')],
    harm: (gave, { base }) => JSON.stringify(gave).includes(base),
  },
  {
    name: 'writing through a link',
    prepare: toSecretFile,
    steps: () => write('link'),
    harm: 'changes-outside',
  },
  {
    name: 'truncating through a link',
    prepare: toSecretFile,
    steps: () => truncate('link'),
    harm: 'changes-outside',
  },
  {
    name: 'appending through a link',
    prepare: toSecretFile,
    steps: () => append('link'),
    harm: 'changes-outside',
  },
  {
    name: 'resizing through a link',
    prepare: toSecretFile,
    steps: () => [open('link', { wanted: { write: true } }), { do: 'setSize', size: 3 }],
    harm: 'changes-outside',
  },
  {
    name: 'creating through a link that leads nowhere yet',
    prepare: link('../outside/new.txt', 'link'),
    steps: () => write('link', { create: true }),
    harm: 'changes-outside',
  },
  {
    name: 'a directory made through a link',
    prepare: toOutside,
    steps: () => [at('mkdir', 'link/new')],
    harm: 'changes-outside',
  },
  {
    name: 'a directory removed through a link',
    prepare: (world) => {
      toOutside(world);
      mkdirSync(path.join(world.outside, 'empty'));
    },
    steps: () => [at('rmdir', 'link/empty')],
    harm: 'changes-outside',
  },
  {
    name: 'a file removed through a link',
    prepare: toOutside,
    steps: () => [at('unlink', 'link/secret.txt')],
    harm: 'changes-outside',
  },
  {
    name: 'a file moved in through a link',
    prepare: toOutside,
    steps: () => [at('rename', 'link/secret.txt', { to: 'mine.txt' }), ...readFrom('mine.txt')],
    harm: 'reads-outside',
  },
  {
    name: 'a file moved out through a link',
    prepare: toOutside,
    steps: () => [at('rename', 'a.txt', { to: 'link/moved.txt' })],
    harm: 'changes-outside',
  },
  {
    name: 'times through a link',
    prepare: toSecretFile,
    steps: () => [at('setTimesAt', 'link')],
    harm: 'changes-outside',
  },
  {
    name: 'a hard link through a link',
    prepare: toOutside,
    steps: () => [at('link', 'link/secret.txt', { to: 'hard.txt' }), ...readFrom('hard.txt')],
    harm: 'reads-outside',
  },
];

const madeByTheGuest: EscapeCase[] = [
  {
    name: 'a link to a file, made by the guest',
    steps: () => [at('symlink', 'mine', { target: '../outside/secret.txt' }), ...readFrom('mine')],
    harm: 'reads-outside',
  },
  {
    name: 'a link to a directory, made by the guest',
    steps: () => [at('symlink', 'mine', { target: '../outside' }), ...readFrom('mine/secret.txt')],
    harm: 'reads-outside',
  },
  {
    name: 'an absolute link, made by the guest',
    steps: ({ outside }) => [at('symlink', 'mine', { target: outside }), ...readFrom('mine/secret.txt')],
    harm: 'reads-outside',
  },
  {
    name: 'a harmless link that becomes harmful where it is moved to',
    prepare: (world) => {
      mkdirSync(path.join(world.workspace, 'dir/outside'));
      link('../outside', 'dir/deep/near')(world);
    },
    steps: () => [at('rename', 'dir/deep/near', { to: 'near' }), ...readFrom('near/secret.txt')],
    harm: 'reads-outside',
  },
  {
    name: 'a link left behind for others',
    steps: () => [at('symlink', 'trap', { target: '../../..' })],
    harm: 'changes-workspace',
  },
];

/** The guest holds `dir` open, moves it away and puts a link in its place. */
const swapped = (...then: Step[]): Step[] => [
  open('dir', { as: 'd' }),
  at('rename', 'dir', { to: 'moved' }),
  at('rename', 'link', { to: 'dir' }),
  ...then,
];
const swaps: EscapeCase[] = [
  {
    name: 'a file in a directory that was swapped while open',
    prepare: toOutside,
    steps: () => swapped(open('secret.txt', { on: 'd' }), read),
    harm: 'reads-outside',
  },
  {
    name: 'a list of a directory that was swapped while open',
    prepare: toOutside,
    steps: () => swapped({ do: 'list', on: 'd' }),
    harm: 'reads-outside',
  },
  {
    name: 'facts in a directory that was swapped while open',
    prepare: toOutside,
    steps: () => swapped(at('statAt', 'secret.txt', { on: 'd' })),
    harm: 'reads-outside',
  },
  {
    name: 'writing in a directory that was swapped while open',
    prepare: toOutside,
    steps: () => swapped(...write('secret.txt').map((step) => (step.on ? { ...step, on: 'd' } : step))),
    harm: 'changes-outside',
  },
  {
    name: 'making a directory in one that was swapped while open',
    prepare: toOutside,
    steps: () => swapped(at('mkdir', 'new', { on: 'd' })),
    harm: 'changes-outside',
  },
  {
    name: 'removing from a directory that was swapped while open',
    prepare: toOutside,
    steps: () => swapped(at('unlink', 'secret.txt', { on: 'd' })),
    harm: 'changes-outside',
  },
  {
    name: 'moving into a directory that was swapped while open',
    prepare: toOutside,
    steps: () => swapped(at('rename', 'a.txt', { toOn: 'd', to: 'moved.txt' })),
    harm: 'changes-outside',
  },
  {
    name: 'a directory below one that was swapped while open',
    prepare: toOutside,
    steps: () => swapped(open('outside-marker/inner.txt', { on: 'd' }), read),
    harm: 'reads-outside',
  },
  {
    name: 'a directory whose parent was swapped while it was open',
    prepare: toOutside,
    steps: () => [
      open('dir/deep', { as: 'd' }),
      at('rename', 'dir', { to: 'moved' }),
      at('rename', 'link', { to: 'dir' }),
      at('mkdir', 'dir/deep'),
      open('../secret.txt', { on: 'd' }),
      read,
    ],
    harm: 'reads-outside',
  },
];

const readOnly: EscapeCase[] = (
  [
    ['writing', () => write('a.txt')],
    [
      'writing by a stream',
      () => [open('a.txt', { wanted: { write: true } }), { do: 'writeStream', text: 'CHANGED' }],
    ],
    ['creating', () => write('new.txt', { create: true })],
    ['creating exclusively', () => write('new.txt', { create: true, exclusive: true })],
    ['creating what is opened to read', () => [open('new.txt', { how: { create: true } })]],
    ['truncating', () => truncate('a.txt')],
    ['truncating what was opened to read', () => [open('a.txt', { how: { truncate: true } })]],
    ['appending', () => append('a.txt')],
    ['resizing', () => [open('a.txt', { wanted: { read: true, write: true } }), { do: 'setSize', size: 1 }]],
    ['resizing what was opened to read', () => [open('a.txt'), { do: 'setSize', size: 1 }]],
    ['making a directory', () => [at('mkdir', 'new')]],
    ['removing a directory', () => [at('unlink', 'dir/deep/c.txt'), at('rmdir', 'dir/deep')]],
    ['removing a file', () => [at('unlink', 'a.txt')]],
    ['moving', () => [at('rename', 'a.txt', { to: 'b.txt' })]],
    ['making a symbolic link', () => [at('symlink', 'mine', { target: 'a.txt' })]],
    ['making a hard link', () => [at('link', 'a.txt', { to: 'hard.txt' })]],
    ['times of a file', () => [at('setTimesAt', 'a.txt')]],
    ['times of an open file', () => [open('a.txt'), { do: 'setTimes' }]],
    ['times of an open directory', () => [open('dir'), { do: 'setTimes' }]],
    [
      'writing below a descriptor',
      () => [
        open('dir', { as: 'd' }),
        open('b.txt', { on: 'd', wanted: { write: true } }),
        { do: 'write', text: 'CHANGED' },
      ],
    ],
  ] satisfies [string, () => Step[]][]
).map(([name, steps]) => ({ name: `read-only: ${name}`, access: 'read', steps, harm: 'changes-workspace' }));

const protectedPlaces: EscapeCase[] = (
  [
    ['writing .git/config', () => write('.git/config')],
    ['making a hook', () => write('.git/hooks/pre-commit', { create: true })],
    ['making a hook that is opened to read', () => [open('.git/hooks/pre-push', { how: { create: true } })]],
    ['truncating .git/config', () => truncate('.git/config')],
    ['appending to a hook', () => append('.git/hooks/post-commit')],
    ['removing a hook', () => [at('unlink', '.git/hooks/post-commit')]],
    ['moving .git away', () => [at('rename', '.git', { to: 'git' })]],
    ['moving a file into .git', () => [at('rename', 'a.txt', { to: '.git/hooks/pre-push' })]],
    ['moving a file over .git/config', () => [at('rename', 'a.txt', { to: '.git/config' })]],
    ['writing .ken/config.toml', () => write('.ken/config.toml')],
    ['making .ken/tools', () => [at('mkdir', '.ken/tools')]],
    ['moving .ken away', () => [at('rename', '.ken', { to: 'ken' })]],
    ['removing .ken/config.toml', () => [at('unlink', '.ken/config.toml')]],
    ['writing .git by way of ..', () => write('dir/../.git/config')],
    [
      'writing .git by a descriptor',
      () => [
        open('.git', { as: 'd' }),
        open('config', { on: 'd', wanted: { write: true } }),
        { do: 'write', text: 'CHANGED' },
      ],
    ],
    [
      'writing .git from below it',
      () => [
        open('.git/hooks', { as: 'd' }),
        open('post-commit', { on: 'd', wanted: { write: true } }),
        { do: 'write', text: 'CHANGED' },
      ],
    ],
    ['writing the .git file of a module', () => write('module/.git')],
    ['making a .git in a subdirectory', () => [at('mkdir', 'dir/.git')]],
    ['making a .git file in a subdirectory', () => write('dir/.git', { create: true })],
    ['moving a directory to .git', () => [at('rename', 'dir/deep', { to: 'dir/.git' })]],
    ['making .GIT, which is .git to some systems', () => [at('mkdir', 'dir/.GIT')]],
    ['times of .git/config', () => [at('setTimesAt', '.git/config')]],
    ['times of .git', () => [open('.git'), { do: 'setTimes' }]],
  ] satisfies [string, () => Step[]][]
).map(([name, steps]) => ({ name: `protected: ${name}`, steps, harm: 'changes-protected' }));

const OTHER = '/other';
/** From one granted directory to another, of which only one may be changed. */
const across: EscapeCase[] = [
  {
    name: 'across: a file moved out of a directory that may only be read',
    readsOther: true,
    steps: () => [at('rename', 'secret.txt', { on: OTHER, toOn: W, to: 'mine.txt' })],
    harm: 'changes-outside',
  },
  {
    name: 'across: a file moved into a directory that may only be read',
    readsOther: true,
    steps: () => [at('rename', 'a.txt', { toOn: OTHER, to: 'moved.txt' })],
    harm: 'changes-outside',
  },
  {
    name: 'across: a file moved over one in a directory that may only be read',
    readsOther: true,
    steps: () => [at('rename', 'a.txt', { toOn: OTHER, to: 'secret.txt' })],
    harm: 'changes-outside',
  },
  {
    name: 'across: a hard link to a file that may only be read, and writing by it',
    readsOther: true,
    steps: () => [at('link', 'secret.txt', { on: OTHER, toOn: W, to: 'hard.txt' }), ...write('hard.txt')],
    harm: 'changes-outside',
  },
  {
    name: 'across: .. out of one granted directory into what lies beside it',
    readsOther: true,
    steps: () => [open('../workspace-sibling/secret.txt', { on: OTHER }), read],
    harm: 'reads-outside',
  },
];

const otherKinds: EscapeCase[] = [
  {
    name: 'protected: writing .git through a link',
    prepare: link('.git', 'g'),
    steps: () => write('g/config'),
    harm: 'changes-protected',
  },
  ...(['write', 'truncate', 'append'] as const).map(
    (action): EscapeCase => ({
      name: `a file with a second name outside: ${action}`,
      prepare: ({ outside, workspace }) => linkSync(`${outside}/secret.txt`, `${workspace}/hard.txt`),
      steps: () => ({ write, truncate, append })[action]('hard.txt'),
      harm: 'changes-outside',
    }),
  ),
  {
    name: 'a file with a second name outside: times',
    prepare: ({ outside, workspace }) => linkSync(`${outside}/secret.txt`, `${workspace}/hard.txt`),
    steps: () => [at('setTimesAt', 'hard.txt')],
    harm: 'changes-outside',
  },
  {
    name: 'a FIFO opened to read',
    prepare: ({ workspace }) => void execFileSync('mkfifo', [`${workspace}/fifo`]),
    steps: () => [open('fifo')],
    harm: succeeded,
  },
  {
    name: 'a FIFO opened to write',
    prepare: ({ workspace }) => void execFileSync('mkfifo', [`${workspace}/fifo`]),
    steps: () => [open('fifo', { wanted: { read: true, write: true } })],
    harm: succeeded,
  },
  {
    name: 'a device',
    grant: () => ({ guestPath: W, hostPath: '/dev', access: 'write' }),
    steps: () => [open('zero'), { do: 'readOnce', length: 10, offset: 0 }],
    harm: succeeded,
  },
  {
    name: 'a device behind a link',
    prepare: link('/dev/zero', 'zero'),
    steps: () => [open('zero'), { do: 'readOnce', length: 10, offset: 0 }],
    harm: succeeded,
  },
  {
    name: 'thousands of descriptors',
    steps: () => [at('openMany', 'a.txt', { count: 3000 })],
    harm: ([gave]) => Number(gave?.ok) > 300,
  },
  {
    name: 'thousands of directory streams',
    steps: () => [{ do: 'listMany', on: W, count: 3000 }],
    harm: ([gave]) => Number(gave?.ok) > 300,
  },
  {
    name: 'a file of two gigabytes out of nothing',
    steps: () => [open('a.txt', { wanted: { write: true } }), { do: 'setSize', size: 2 * 1024 ** 3 }],
    harm: (_, { workspace }) => statSync(`${workspace}/a.txt`).size > 1024 ** 3,
  },
];

const ambient: EscapeCase[] = [
  {
    name: 'the environment',
    steps: () => [{ do: 'environment' }],
    harm: ([gave]) => JSON.stringify(gave?.ok) !== '[]',
  },
  {
    name: 'the arguments of the process',
    steps: () => [{ do: 'arguments' }],
    harm: ([gave]) => JSON.stringify(gave?.ok) !== '[]',
  },
  { name: 'the current directory', steps: () => [{ do: 'directory' }], harm: ([gave]) => gave?.ok !== null },
  { name: 'standard input', steps: () => [{ do: 'stdin' }], harm: succeeded },
  { name: 'a TCP socket', steps: () => [{ do: 'tcp' }], harm: succeeded },
  { name: 'a TCP socket over IPv6', steps: () => [{ do: 'tcp', family: 'ipv6' }], harm: succeeded },
  { name: 'a UDP socket', steps: () => [{ do: 'udp' }], harm: succeeded },
  {
    name: 'a look-up of a host name',
    steps: () => [{ do: 'resolve', host: 'example.org' }],
    harm: succeeded,
  },
];

export const ESCAPES: readonly EscapeCase[] = [
  ...paths,
  ...links,
  ...madeByTheGuest,
  ...swaps,
  ...readOnly,
  ...protectedPlaces,
  ...across,
  ...otherKinds,
  ...ambient,
  ...EXECUTED,
  ...LINKED,
];
