import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { never, type RepositoryFixture } from '../../src/domain/references/sources/git-reader.contract.ts';
import type { GitReader, GitSource } from '../../src/domain/references/sources/git-reader.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { selfSigned } from '../web/certificate.ts';
import { unusedPort } from '../web/servers.ts';
import { serveGit } from './git-server.ts';
import { realReader } from './reader.ts';
import { buildRepository } from './repositories.ts';

const FIXTURE: RepositoryFixture = {
  commits: [{ 'README.md': 'tea' }],
  branches: { main: 0 },
  tags: {},
  defaultBranch: 'main',
};

async function textsIn(reader: GitReader, source: GitSource): Promise<string[]> {
  const tree = await reader.open(source, {}, never);
  try {
    const texts: string[] = [];
    for await (const { bytes } of tree.read(tree.files, { maxFileBytes: 1000 }))
      texts.push(new TextDecoder().decode(bytes));
    return texts;
  } finally {
    await tree.close();
  }
}

it('https: the name is checked against the certificate, the address comes from the guard', async () => {
  const parent = temporaryDirectory();
  buildRepository(parent, FIXTURE);
  const certificate = selfSigned(['tea.example']);
  const authorities = path.join(parent, 'authorities.pem');
  writeFileSync(authorities, certificate.cert);
  const { port } = await serveGit(parent, { certificate });
  const source = { url: `https://tea.example:${port}/tea.git`, paths: [] };
  const allow = [`tea.example:${port}`, `other.example:${port}`];
  const trusting = realReader(parent, { allow, environment: { GIT_SSL_CAINFO: authorities } }).reader;
  expect(await textsIn(trusting, source)).toEqual(['tea']);
  const other = { ...source, url: `https://other.example:${port}/tea.git` };
  const asked = [
    () => trusting.head(other, never),
    () => realReader(parent, { allow }).reader.head(source, never),
  ];
  for (const head of asked) {
    const error = await head().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Fault);
    expect(error).toMatchObject({ code: 'git/failed', message: expect.stringMatching(/certificate/i) });
  }
});

const daemon = path.join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-daemon');

it.skipIf(!existsSync(daemon))(
  'git: real git daemon, reached at the pinned address under its name',
  async () => {
    const parent = temporaryDirectory();
    mkdirSync(path.join(parent, 'hosts/tea.example'), { recursive: true });
    buildRepository(path.join(parent, 'hosts/tea.example'), FIXTURE);
    const port = await unusedPort();
    const words = [
      '--export-all',
      '--reuseaddr',
      '--verbose',
      '--log-destination=stderr',
      '--listen=127.0.0.1',
      `--port=${port}`,
      `--interpolated-path=${parent}/hosts/%H/%D`,
    ];
    const child = spawn(daemon, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    onTestFinished(() => void child.kill());
    await once(child.stderr, 'data');
    const { reader } = realReader(parent, { allow: [`tea.example:${port}`] });
    expect(await textsIn(reader, { url: `git://tea.example:${port}/tea.git`, paths: [] })).toEqual(['tea']);
  },
);

it('ssh: the connection goes to the pinned address, the key is that of the name, and nothing is asked', async () => {
  const parent = temporaryDirectory();
  const { directory } = buildRepository(parent, FIXTURE);
  const bin = path.join(parent, 'bin');
  mkdirSync(bin);
  // Stands for ssh and the machine behind it: keeps its words and runs what it is given there.
  const log = path.join(parent, 'words');
  writeFileSync(
    path.join(bin, 'ssh'),
    `#!/bin/sh\nprintf '%s\\n' "$@" >> ${log}\nfor last; do :; done\nexec sh -c "$last"\n`,
    { mode: 0o755 },
  );
  const environment = {
    PATH: `${bin}:${process.env.PATH}`,
    GIT_SSH_COMMAND: 'false',
    SSH_AUTH_SOCK: '/agent',
  };
  const { reader, started } = realReader(parent, { allow: ['tea.example', 'tea.example:2222'], environment });
  expect(await textsIn(reader, { url: `ssh://git@tea.example:2222${directory}`, paths: [] })).toEqual([
    'tea',
  ]);
  expect(await reader.head({ url: `git@tea.example:${directory}`, paths: [] }, never)).toMatch(
    /^[0-9a-f]{40}$/,
  );
  const words = readFileSync(log, 'utf8').split('\n');
  for (const option of [
    'BatchMode=yes',
    'HostName=127.0.0.1',
    'HostKeyAlias=[tea.example]:2222',
    'HostKeyAlias=tea.example',
    'ProxyCommand=none',
    'ForwardAgent=no',
    'git@tea.example',
  ]) {
    expect(words).toContain(option);
  }
  expect(started.every(({ environment: given }) => given.SSH_AUTH_SOCK === '/agent')).toBe(true);
});
