import { execFileSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';

const LINES = ['# Ports', '', 'The API listens on 8080.', 'Metrics are on 9090.', '', 'Ask Ada.'];

const AMBIGUOUS = 'changed: the same lines stand in several places';
const COMMAND = 'unchecked: commands are not run again';

function git({ root }: Sandbox, ...words: string[]): string {
  const identity = [
    '-c',
    'user.name=Ada',
    '-c',
    'user.email=ada@example.org',
    '-c',
    'init.defaultBranch=main',
  ];
  return execFileSync('git', [...identity, ...words], { cwd: root, encoding: 'utf8' }).trim();
}

const add = ({ ken }: Sandbox, id: string, provenance: string) =>
  ken(['k', 'add', '--id', id, '--title', id, '--text', 'x', '--provenance', provenance]);

async function verify({ ken }: Sandbox, ...words: string[]) {
  const { code, stdout } = await ken(['k', 'verify', ...words, '--json']);
  const citations: { provenance: string; verdict: string; moved_to: string | null; reason: string | null }[] =
    JSON.parse(stdout).citations;
  return {
    code,
    found: citations.map(({ verdict, moved_to, reason }) =>
      reason === null ? [verdict, moved_to ?? ''].join(' ').trim() : `${verdict}: ${reason}`,
    ),
  };
}

it('tells on real files what is ok, moved, changed, ambiguous, missing, and what only has other line ends', async () => {
  const place = sandboxHere('');
  place.write('ports.md', `${LINES.join('\n')}\n`);
  await add(place, 'a', 'file:ports.md#L3-L4');
  expect(await verify(place)).toEqual({ code: 0, found: ['ok'] });
  place.write('ports.md', `${LINES.join('\r\n')}\r\n`);
  expect(await verify(place)).toEqual({ code: 0, found: ['ok'] });
  place.write('ports.md', ['New.', ...LINES].join('\n'));
  expect(await verify(place)).toEqual({ code: 6, found: ['moved file:ports.md#L4-L5'] });
  place.write('ports.md', [...LINES.slice(1), ...LINES].join('\n'));
  expect(await verify(place)).toEqual({ code: 6, found: [AMBIGUOUS] });
  place.write('ports.md', LINES.join('\n').replace('8080', '8081'));
  expect(await verify(place)).toEqual({ code: 6, found: ['changed'] });
  rmSync(path.join(place.root, 'ports.md'));
  expect(await verify(place)).toEqual({ code: 6, found: ['missing'] });
});

it('shows the text that was cited, as git has it, and the text that is there now', async () => {
  const place = sandboxHere('');
  place.write('ports.md', `${LINES.join('\n')}\n`);
  git(place, 'init', '-q');
  git(place, 'add', '-A');
  git(place, 'commit', '-q', '-m', 'Ports');
  await add(place, 'a', 'file:ports.md#L3-L4');
  place.write('ports.md', LINES.join('\n').replace('8080', '8081'));
  await add(place, 'b', 'file:ports.md#L3');
  place.write('ports.md', LINES.join('\n').replace('8080', '8082\u001b[2J'));

  const { code, stdout } = await place.ken(['k', 'verify', 'a', 'b']);

  expect({ code, stdout }).toEqual({
    code: 6,
    stdout: [
      'id  verdict  evidence             now or why',
      'a   changed  file:ports.md#L3-L4',
      'b   changed  file:ports.md#L3',
      '',
      'file:ports.md#L3-L4 (a):',
      '- The API listens on 8080.',
      '+ The API listens on 8082\\u{1B}[2J.',
      '  Metrics are on 9090.',
      '',
      'file:ports.md#L3 (b):',
      '  (git has no version with the text that was cited)',
      '+ The API listens on 8082\\u{1B}[2J.',
      '',
    ].join('\n'),
  });
});

it('says at once when nothing is at the provenance of a new entry, and keeps it', async () => {
  const place = sandboxHere('');
  place.write('ports.md', 'One line.\n');
  const { code, stderr } = await add(place, 'a', 'file:ports.md#L3');
  expect(code).toBe(0);
  expect(stderr).toBe(
    'It is a new entry.\nwarning: file:ports.md#L3 does not exist now, so a change of it will not be noticed.\n',
  );
  expect((await add(place, 'b', 'file:ports.md')).stderr).toBe('It is a new entry.\n');
  expect((await add(place, 'c', 'cmd:x')).stderr).toBe('It is a new entry.\n');
});

it('rewrites what has moved with --fix, as a new version, and search says when it was checked', async () => {
  const place = sandboxHere('');
  place.write('ports.md', LINES.join('\n'));
  await add(place, 'a', 'file:ports.md#L3');
  place.write('ports.md', ['New.', ...LINES].join('\n'));
  expect(await verify(place, 'a', '--fix')).toEqual({ code: 0, found: ['moved file:ports.md#L4'] });
  expect(await verify(place, 'a')).toEqual({ code: 0, found: ['ok'] });
  const { stdout } = await place.ken(['k', 'search', 'x', '--json']);
  expect(JSON.parse(stdout).entries).toMatchObject([
    {
      provenance: 'file:ports.md#L4',
      version: 2,
      verified: { verdict: 'ok', at: expect.stringMatching(/^\d+Z$/) },
    },
  ]);
  expect((await place.ken(['k', 'search', 'x'])).stdout).toMatch(
    /\n {4}file:ports\.md#L4 \(ok, checked just now\)\n$/,
  );
});

it('keeps what a fixed citation said before: in the history, in the version, and at the time', async () => {
  const place = sandboxHere('');
  place.write('ports.md', LINES.join('\n'));
  const cited = [
    '--provenance',
    'cmd:ss -ltn',
    '--provenance',
    'file:ports.md#L3',
    '--provenance',
    'file:ports.md#L4',
  ];
  await place.ken(['k', 'add', '--id', 'a', '--title', 'Ports', '--text', 'x', ...cited]);
  const json = async (...words: string[]) => JSON.parse((await place.ken(['k', ...words, '--json'])).stdout);
  const evidence = ({ entry }: { entry: { citations: { provenance: string }[] } }) =>
    entry.citations.map(({ provenance }) => provenance);
  // The two lines change places: each citation takes the other's.
  const [title = '', blank = '', api = '', metrics = '', ...rest] = LINES;
  place.write('ports.md', [title, blank, metrics, api, ...rest].join('\n'));
  await place.ken(['k', 'verify', 'a', '--fix']);
  const before = ['cmd:ss -ltn', 'file:ports.md#L3', 'file:ports.md#L4'];
  const after = ['cmd:ss -ltn', 'file:ports.md#L4', 'file:ports.md#L3'];
  expect(evidence(await json('show', 'a'))).toEqual(after);
  expect(evidence(await json('show', 'ken://entry/a@v1'))).toEqual(before);
  expect(await verify(place, 'a')).toEqual({ code: 0, found: [COMMAND, 'ok', 'ok'] });
  const { citations, events } = await json('history', 'a');
  const lives = citations.map(
    (each: Record<string, unknown>) => `${each.provenance} v${each.version}-${each.until_version}`,
  );
  expect(lives).toEqual([
    'cmd:ss -ltn v1-null',
    'file:ports.md#L3 v1-2',
    'file:ports.md#L4 v2-null',
    'file:ports.md#L4 v1-2',
    'file:ports.md#L3 v2-null',
  ]);
  expect(events.map(({ type }: { type: string }) => type)).toEqual(['add', 'verify']);
  const { stdout } = await place.ken(['k', 'history', 'a']);
  expect(stdout).toMatch(/ 2 {2}verify .* file:ports\.md#L3 moved to file:ports\.md#L4/);
});

it('follows renames through a real history, also when it was rewritten, and knows which commits are there', async () => {
  const place = sandboxHere('');
  place.write('.gitignore', '.ken/\n');
  place.write('docs/ports.md', LINES.join('\n'));
  git(place, 'init', '-q');
  git(place, 'add', '.');
  git(place, 'commit', '-qm', 'ports');
  const commit = git(place, 'rev-parse', 'HEAD');
  for (const [id, provenance] of Object.entries({
    a: 'file:docs/ports.md#L3-L4',
    b: 'file:docs/ports.md',
    c: `commit:${commit}`,
    d: 'commit:0123456789abcdef0123456789abcdef01234567',
    e: 'cmd:ss -ltn',
    f: 'event:NONE',
    g: `commit:${commit.slice(0, 10)}`,
    h: `commit:${git(place, 'rev-parse', 'HEAD^{tree}')}`,
  }))
    await add(place, id, provenance);
  git(place, 'mv', 'docs/ports.md', 'docs/net.md');
  git(place, 'commit', '-qm', 'rename');
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const renamed = ['moved file:docs/net.md#L3-L4', 'moved file:docs/net.md'];
  expect(await verify(place, ...ids)).toEqual({
    code: 6,
    found: [...renamed, 'ok', 'missing', COMMAND, 'missing', 'ok', 'missing'],
  });
  // One commit in place of two: the rename is in no history any more, and the first commit is gone.
  git(place, 'update-ref', '-d', 'HEAD');
  git(place, 'commit', '-qm', 'all of it');
  git(place, 'reflog', 'expire', '--expire=now', '--all');
  git(place, 'gc', '-q', '--prune=now');
  expect(await verify(place, ...ids)).toEqual({
    code: 6,
    found: [...renamed, 'missing', 'missing', COMMAND, 'missing', 'missing', 'missing'],
  });
  renameSync(path.join(place.root, 'docs/net.md'), path.join(place.root, 'docs/one.md'));
  place.write('docs/two.md', LINES.join('\n'));
  expect(await verify(place, 'a', 'b')).toEqual({ code: 6, found: [AMBIGUOUS, AMBIGUOUS] });
});

it('says what was not checked and why, and that is not ok', async () => {
  const place = sandboxHere('');
  place.write('short.md', 'One line.\n');
  for (const [id, provenance] of Object.entries({
    cmd: 'cmd:ss -ltn',
    commit: 'commit:abc123',
    lines: 'file:short.md#L7',
    url: 'url:https://example.com/',
    whole: 'file:short.md',
  }))
    await add(place, id, provenance);
  expect(await place.ken(['k', 'verify', 'cmd', 'commit', 'lines', 'url', 'whole'])).toEqual({
    code: 6,
    stdout: `id      verdict    evidence                  now or why
cmd     unchecked  cmd:ss -ltn               commands are not run again
commit  unchecked  commit:abc123             the workspace has no git repository
lines   unchecked  file:short.md#L7          it could not be read when it was cited
url     unchecked  url:https://example.com/  the reference library has no copy of it
whole   ok         file:short.md
`,
    stderr: '1 ok, 4 not checked.\n',
  });
  expect(await verify(place, 'cmd')).toEqual({ code: 0, found: [COMMAND] });
  expect(await verify(place, 'whole')).toEqual({ code: 0, found: ['ok'] });
});

it('never reads evidence outside the workspace', async () => {
  const place = sandboxHere('');
  await place.shell('mkdir ../outside && echo secret > ../outside/x && ln -s ../outside link');
  await add(place, 'a', 'file:link/x');
  const { stdout } = await place.ken(['k', 'show', 'a', '--json']);
  expect(JSON.parse(stdout).entry.citations).toMatchObject([{ sha256: null }]);
  expect(await verify(place)).toEqual({ code: 6, found: ['missing'] });
});

it('compares what ref: names with what it was: lines of a subject, a turn, a version of an entry', async () => {
  const place = sandboxHere('[kb.topic.project]\nsubjects = "kb"\n');
  const deploy = ['# Deploy', '', 'Tag first.', 'Then push.'];
  place.write('kb/deploy.md', deploy.join('\n'));
  await add(place, 'fact', 'cmd:x');
  for (const [id, uri] of Object.entries({
    a: 'ken://kb/project/deploy#L3',
    b: 'ken://kb/project/deploy',
    c: 'ken://entry/fact@v1',
    d: 'ken://entry/none',
    e: 'ken://kb/project/none',
  }))
    await add(place, id, `ref:${uri}`);
  const ids = ['a', 'b', 'c', 'd', 'e'];
  expect(await verify(place, ...ids)).toEqual({ code: 6, found: ['ok', 'ok', 'ok', 'missing', 'missing'] });
  place.write('kb/deploy.md', deploy.join('\r\n').replace('push', 'wait'));
  await place.ken(['k', 'deprecate', 'fact']);
  expect(await verify(place, 'a', 'b', 'c')).toEqual({ code: 6, found: ['ok', 'changed', 'ok'] });
  place.write('kb/deploy.md', ['New.', ...deploy].join('\n'));
  expect(await verify(place, 'a')).toEqual({ code: 6, found: ['moved ref:ken://kb/project/deploy#L4'] });
  renameSync(path.join(place.root, 'kb/deploy.md'), path.join(place.root, 'kb/ship.md'));
  expect(await verify(place, 'a')).toEqual({ code: 6, found: ['moved ref:ken://kb/project/ship#L4'] });
  rmSync(path.join(place.root, 'kb/ship.md'));
  expect(await verify(place, 'a')).toEqual({ code: 6, found: ['missing'] });
});

it('compares what ref: names in the reference library with its copy there', async () => {
  const place = sandboxHere('');
  place.write('manuals/ports.md', LINES.join('\n'));
  await place.ken(['ref', 'import', 'manuals', '--title', 'Manuals']);
  const { stdout } = await place.ken(['ref', 'search', 'metrics', '--json']);
  const [{ citation }] = JSON.parse(stdout).hits;
  await add(place, 'a', `ref:${citation.uri}`);
  await add(place, 'b', 'ref:ken://ref/topic-manuals@abc/none.md');
  await add(place, 'c', 'url:https://example.com/never-fetched');
  expect(await verify(place, 'a', 'b', 'c')).toEqual({
    code: 6,
    found: ['ok', 'missing', 'unchecked: the reference library has no copy of it'],
  });
  const copy = path.join(place.home, 'data/references/manuals/files/ports.md');
  chmodSync(copy, 0o644);
  writeFileSync(copy, LINES.join('\n').replace('9090', '9091'));
  expect(await verify(place, 'a')).toEqual({ code: 6, found: ['changed'] });
  await place.ken(['ref', 'delete', 'manuals', '--yes']);
  expect(await verify(place, 'a')).toEqual({ code: 6, found: ['missing'] });
});
