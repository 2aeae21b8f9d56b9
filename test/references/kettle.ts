/** A small library that exists only here, in a repository that a test builds and serves. */

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { RepositoryFixture } from '../../src/domain/references/sources/git-reader.contract.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { type GitServer, serveGit } from '../git/git-server.ts';
import { type BuiltRepository, buildRepository } from '../git/repositories.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

export const KETTLE: RepositoryFixture = {
  commits: [
    {
      'README.md': '# Kettle\n\nA widget toolkit in Rust. Components are functions that return a `Brew`.\n',
      'docs/lifecycle.md':
        '# Lifecycle\n\n## Mounting\n\nA component is mounted when it is first poured.\n\n## Unmounting\n\n' +
        'When a component is unmounted, every `use_drain` hook runs once, in the reverse order of the calls.\n',
      'docs-old/lifecycle.md': 'Hooks run twice.\n',
      'examples/counter.rs':
        '/// Counts cups.\nfn counter() -> Brew {\n    let cups = use_leaf(|| 0);\n    brew!(button { "cups: {cups}" })\n}\n',
      'src/hooks.rs':
        '/// Runs when the component is unmounted.\npub fn use_drain(job: impl FnOnce() + 3) {}\n\n' +
        '/// Keeps state between pours.\npub fn use_leaf<T>(first: impl Fn() -> T) -> T { first() }\n',
      'Cargo.lock': '[[package]]\nname = "kettle"\n',
      'logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]),
    },
  ],
  branches: { main: 0 },
  tags: {},
  defaultBranch: 'main',
};

export interface Served extends Sandbox, BuiltRepository {
  readonly server: GitServer;
  readonly url: string;
  readonly commit: string;
}

/** A workspace whose operator lets ken reach loopback, and the repository there. */
export async function served(fixture = KETTLE, { settings = '' } = {}): Promise<Served> {
  const parent = temporaryDirectory();
  const built = buildRepository(parent, fixture, 'kettle');
  const server = await serveGit(parent);
  const box = sandboxHere('');
  mkdirSync(path.join(box.home, 'config'), { recursive: true });
  writeOwnConfig(box.home, `[net]\nallow = ["127.0.0.1"]\n${settings}`);
  const [commit = ''] = built.commits;
  return { ...box, ...built, server, url: `${server.origin}/kettle.git`, commit };
}

/** Where nobody can be asked, everything is approved: the operator's own file may say so. */
export const ALLOWING = '[approvals]\nnoninteractive = "allow"\n';
