import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import { LAUNCHER as launcher } from '../cli/launcher.ts';
import { serve } from '../web/servers.ts';
import { referencePlace } from './library.ts';

const FILES = {
  'README.md': '# Signals\n\nA signal tells its readers.\n',
  'docs/batch.md': 'Batches.\n',
  'a.rs': 'fn a() {}\n',
};

it('asks at the terminal with the numbers; denied, it suggests less, and less is asked for with smaller numbers', async () => {
  const place = referencePlace(FILES);
  const words = ['ref', 'create', '--title', 'Signals', '--git', place.url];
  const wide = { columns: 200 };
  const denied = await atTerminal(place, words, [{ after: 'Approve?', keys: 'n\n' }], wide);
  expect({ ...denied, text: denied.text.replace(/Approval \w+/, 'Approval ID') }).toEqual({
    code: 4,
    text: [
      'Approval ID is needed:',
      "│ Create reference topic 'Signals'?",
      '│',
      '│ sources:',
      '│ » work/repo (3 files, bytes unknown, capped at 512 MiB, Markdown, Rust)',
      `│ » git ${place.url}`,
      '│',
      '│ asked by ken ref create',
      '7 lines. Approve? yes / no / more: n',
      'ken: The operator denied creating the reference topic "Signals".',
      'hint: Suggest a smaller scope: the same sources with paths such as README.md, docs/ and examples/, or fewer of them.',
      '',
    ].join('\n'),
  });
  expect(JSON.parse((await place.ken(['ref', 'ls', '--all', '--json'])).stdout).topics).toEqual([]);
  const smaller = await atTerminal(
    place,
    [...words, '--path', 'docs/'],
    [{ after: 'Approve?', keys: 'y\n' }],
    wide,
  );
  expect(smaller.code).toBe(0);
  expect(smaller.text).toContain(
    '» work/repo (1 file, bytes unknown, capped at 512 MiB, Markdown, filtered from work/repo)',
  );
  expect(smaller.text).toContain('topic-signals: 1 file, 1 chunk.');
  expect(place.kept('signals/topic.md')).toMatch(/^approved_by = ".+"$/m);
});

it('what waits is fetched by approving it, exactly as it was asked for', async () => {
  const place = referencePlace(FILES);
  const pending = { environment: { KEN_HOME: path.join(place.root, 'other') } };
  const asked = await place.ken(
    ['ref', 'create', '--title', 'Signals', '--git', place.url, '--path', 'docs/'],
    pending,
  );
  const [, id = ''] = /approval (\w+):/.exec(asked.stderr) ?? [];
  expect(asked).toEqual({
    code: 4,
    stdout: '',
    stderr:
      `ken: This waits for approval ${id}: Create reference topic 'Signals'?\n` +
      `hint: Run "ken approvals approve ${id}" in a terminal; it fetches the topic at once.\n`,
  });
  const home = path.join(place.root, 'other');
  const approved = await atTerminal(
    { root: place.root, home },
    ['approvals', 'approve', id],
    [{ after: 'Approve?', keys: 'y\n' }],
  );
  expect(approved).toMatchObject({
    code: 0,
    text: expect.stringContaining('topic-signals: 1 file, 1 chunk.'),
  });
  expect(await place.ken(['ref', 'search', 'batches'], pending)).toMatchObject({ code: 0 });
});

/** Runs ken, presses Ctrl-C at that moment, and answers its exit code. */
async function interrupted(
  { root, home }: { readonly root: string; readonly home: string },
  words: readonly string[],
  moment: Promise<void>,
): Promise<number> {
  const child = spawn(process.execPath, [launcher, ...words], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home, KEN_HOME: home },
    stdio: 'ignore',
  });
  await moment;
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  return code;
}

it('Ctrl-C during a refresh keeps the old content and index, and the next one does all of it', async () => {
  const place = referencePlace(FILES, 'net.allow = ["127.0.0.1"]\n');
  const arrived = Promise.withResolvers<void>();
  let isSlow = false;
  const web = await serve((_request, response) => {
    if (isSlow) arrived.resolve();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('A page.\n');
  });
  const address = `http://127.0.0.1:${web.port}/page`;
  await place.ken(['ref', 'create', '--title', 'Signals', '--git', place.url, '--web', address]);
  const before = ['topic.md', 'lock.jsonl'].map((name) => place.kept(`signals/${name}`));
  place.commit({ 'README.md': '# Signals\n\nOther words.\n', 'docs/batch.md': undefined });
  isSlow = true;
  expect(await interrupted(place, ['ref', 'refresh', 'signals'], arrived.promise)).toBe(130);
  expect(['topic.md', 'lock.jsonl'].map((name) => place.kept(`signals/${name}`))).toEqual(before);
  expect(await place.ken(['ref', 'doctor'])).toMatchObject({ code: 0 });
  expect(await place.ken(['ref', 'search', 'batches'])).toMatchObject({ code: 0 });
  isSlow = false;
  expect(await place.ken(['ref', 'refresh', 'signals'])).toMatchObject({
    code: 0,
    stdout: 'topic-signals: 1 changed, 1 removed\n  ~ README.md\n  - docs/batch.md\n',
  });
});

it('Ctrl-C while a page does not come leaves no topic and nothing half made', async () => {
  const place = referencePlace(FILES, 'net.allow = ["127.0.0.1"]\n');
  const arrived = Promise.withResolvers<void>();
  const web = await serve((request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else arrived.resolve();
  });
  const address = `http://127.0.0.1:${web.port}/slow`;
  const words = ['ref', 'create', '--title', 'Signals', '--git', place.url, '--web', address];
  expect(await interrupted(place, words, arrived.promise)).toBe(130);
  const library = path.join(place.home, 'data/references');
  expect(readdirSync(library).sort()).toEqual(['.staging', '.writer.lock']);
  expect(readdirSync(path.join(library, '.staging'))).toEqual([]);
  expect(JSON.parse((await place.ken(['ref', 'ls', '--all', '--json'])).stdout)).toEqual({
    topics: [],
    broken: [],
  });
});

it('a topic that has grown old is stale in every output, and is refreshed by --stale', async () => {
  const place = referencePlace(FILES);
  const { ken, home } = place;
  await ken(['ref', 'create', '--title', 'Signals', '--git', place.url]);
  const file = path.join(home, 'data/references/signals/topic.md');
  const old = place
    .kept('signals/topic.md')
    .replace(/fetched_at = ".*?"/g, 'fetched_at = "2020-01-01T00:00:00Z"');
  writeFileSync(file, old.replace('[created_by]', 'mood = "calm"\n\n[created_by]'));
  expect(JSON.parse((await ken(['ref', 'ls', '--json'])).stdout).topics).toMatchObject([
    { status: 'stale', is_stale: true, stale_since: '2020-02-01T00:00:00.000Z' },
  ]);
  expect((await ken(['ref', 'search', 'signal', 'readers'])).stdout).toContain('· stale since 2020-02-01');
  expect((await ken(['search', '--in', 'refs', 'signal', 'readers'])).stdout).toContain(
    '· stale since 2020-02-01',
  );
  expect((await ken(['ref', 'show', 'signals'])).stdout).toContain('status    stale since 2020-02-01');
  expect(await ken(['ref', 'refresh', '--stale'])).toEqual({
    code: 0,
    stdout: 'topic-signals: unchanged\n',
    stderr: '',
  });
  expect(JSON.parse((await ken(['ref', 'ls', '--json'])).stdout).topics).toMatchObject([
    { status: 'active', is_stale: false },
  ]);
  expect(place.kept('signals/topic.md')).toContain('mood = "calm"');
  expect(await ken(['ref', 'refresh', '--stale'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No topic is stale.\n',
  });
});
