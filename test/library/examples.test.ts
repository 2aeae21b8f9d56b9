import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NewFact } from '../../src/entry/library-types.ts';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { gardenWorkspace } from '../mcp/garden.ts';

const root = path.join(import.meta.dirname, '../..');
const examples = path.join(root, 'examples/library');

/** The output of each, in a workspace with two topics. */
const PRINTED: Readonly<Record<string, string>> = {
  'ask-a-question.ts':
    "calls search\ncalls show\nanswered true 0\ntrue [ 'How do we deploy?', 'And what comes after the push?' ]\n",
  'change-what-is-kept.ts': '.ken/kb/project/people/ada.md true\nAnother way true # Another way\n',
  'call-a-tool.ts': 'true string\n',
  'check-the-evidence.ts':
    'The pipeline deploys what is pushed. 1 0\nfile:.ken/kb/project/deploy.md#L3 ok\n1 true []\n',
  'follow-a-citation.ts': 'Push to main.\nWait.\nIt is as it was.\n',
  'keep-a-fact.ts':
    'merged\nThe API listens on 9090. (cmd:ss -ltn)\nledger/invalid: An entry needs its provenance.\n',
  'rearrange.ts': "people/ada [ 2, 1 ]\n{ done: '', team: 'b' } []\n",
  'see-what-waits.ts': 'true true\npending true\n[] [] nothing\n',
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
});

it('has an example for every member of an open workspace', () => {
  const types = readFileSync(path.join(root, 'src/entry/library-types.ts'), 'utf8');
  const [, body = ''] = /export interface Ken extends [^{]+\{\n([\s\S]+?)\n\}/.exec(types) ?? [];
  const members = [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, name = '']) => name);
  expect(members.length).toBeGreaterThan(30);
  const shown = readdirSync(examples).map((name) => readFileSync(path.join(examples, name), 'utf8'));
  const typed = readFileSync(path.join(import.meta.dirname, 'types.test-d.ts'), 'utf8');
  // `await using` closes it.
  const open = members.filter((name) => name !== 'close');
  expect(open.filter((name) => !shown.some((text) => text.includes(`ken.${name}(`)))).toEqual([]);
  expect(members.filter((name) => !typed.includes(`ken.${name}`))).toEqual([]);
});

it('says what is missing where there is no workspace', async () => {
  const { openWorkspace, isKenError } = await import('../../src/library.ts');
  const failed = await openWorkspace(sandbox().root).catch((error: unknown) => error);
  expect(isKenError(failed)).toBe(true);
  expect(failed).toMatchObject({ code: 'workspace/not-found', hint: 'Run "ken init" to make it one.' });
});

it('says what is wrong with a directory that is none', async () => {
  const { openWorkspace } = await import('../../src/library.ts');
  const { write } = sandbox();
  const missing = path.join(path.dirname(write('file', '')), 'not', 'there');
  await expect(openWorkspace(missing)).rejects.toMatchObject({
    code: 'workspace/not-found',
    message: `There is no directory ${missing}.`,
    hint: 'Check the path.',
  });
});

it('does nothing for a signal that was aborted before, and says why it was', async () => {
  const { openWorkspace } = await import('../../src/library.ts');
  const { root: directory, home } = gardenWorkspace();
  await using ken = await openWorkspace(directory, { environment: { KEN_HOME: home, PATH: '' } });
  const why = new Error('Enough.');
  const fact = { title: 'a', text: 'b', provenance: ['cmd:x'] };
  await expect(ken.search('deploy', {}, AbortSignal.abort(why))).rejects.toBe(why);
  await expect(ken.call('knowledge_add', fact, AbortSignal.abort(why))).rejects.toBe(why);
  expect(await ken.searchFacts('b')).toEqual([]);
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

describe('errors', () => {
  async function opened() {
    const { openWorkspace, isKenError } = await import('../../src/library.ts');
    const place = gardenWorkspace();
    const ken = await openWorkspace(place.root, { environment: { KEN_HOME: place.home, PATH: '' } });
    return { ken, place, isKenError };
  }

  /** The message of the command line for the same mistake. */
  async function said(place: Sandbox, words: readonly string[]) {
    return JSON.parse((await place.ken([...words, '--json'])).stderr).error;
  }

  it.each<[string, NewFact, readonly string[]]>([
    [
      'a source of no kind',
      { title: 'a', text: 'b', provenance: ['hearsay'] },
      ['k', 'add', '--title', 'a', '--text', 'b', '--provenance', 'hearsay'],
    ],
    [
      'no text',
      { title: 'a', text: ' ', provenance: ['cmd:x'] },
      ['k', 'add', '--title', 'a', '--text', ' ', '--provenance', 'cmd:x'],
    ],
    [
      'a secret',
      { title: 'a', text: `token ghp_${'a1B2'.repeat(9)}`, provenance: ['cmd:x'] },
      ['k', 'add', '--title', 'a', '--text', `token ghp_${'a1B2'.repeat(9)}`, '--provenance', 'cmd:x'],
    ],
  ])('of a fact are those of the command line: %s', async (_, fact, words) => {
    const { ken, place, isKenError } = await opened();
    const failed = await ken.addFact(fact).catch((error: unknown) => error);
    await ken.close();
    if (!isKenError(failed)) throw failed;
    const { code, message, hint } = failed;
    expect({ code, message, hint: hint ?? null }).toEqual(await said(place, words));
    expect(code).toMatch(/^ledger\//);
  });

  it('tell a conflict by its code', async () => {
    const { ken } = await opened();
    const fact = { title: 'a', text: 'b', provenance: ['cmd:x'], mergeKey: 'k' };
    expect(await ken.addFact(fact)).toEqual({
      id: expect.any(String),
      action: 'inserted',
      supersededIds: [],
    });
    const again = ken.addFact({ ...fact, text: 'c', onConflict: 'reject' });
    await expect(again).rejects.toMatchObject({ code: 'ledger/conflict' });
    await ken.close();
  });

  it('of a search in the ledger have a code', async () => {
    const { ken } = await opened();
    await expect(ken.searchFacts('x', { asOf: 'someday' })).rejects.toMatchObject({
      code: 'ledger/invalid',
    });
    await ken.close();
  });

  it('say that a workspace was closed, whatever is called then', async () => {
    const { ken, isKenError } = await opened();
    await Promise.all([ken.close(), ken.close()]);
    await ken[Symbol.asyncDispose]();
    const calls = [ken.topics(), ken.learn('project'), ken.search('x'), ken.searchFacts('x'), ken.tools()];
    for (const call of calls) {
      const error = await call.catch((failed: unknown) => failed);
      expect(isKenError(error) && [error.code, error.message]).toEqual([
        'workspace/closed',
        'This workspace was closed.',
      ]);
    }
    expect(ken.root).not.toBe('');
  });

  it('tell a program without a compiler what it got wrong', async () => {
    const { ken } = await opened();
    const untyped = (name: keyof typeof ken, ...given: unknown[]): Promise<unknown> =>
      Reflect.apply(Object(ken[name]), ken, given);
    const calls = [
      untyped('addFact', { titel: 'a', text: 'b', provenance: ['cmd:x'] }),
      untyped('addFact', { title: 3, text: 'b', provenance: ['cmd:x'] }),
      untyped('addFact', { title: 'a', text: 'b', provenance: ['cmd:x'], allowSecret: true }),
      untyped('searchFacts', 'x', { limit: 0 }),
      untyped('search', undefined),
      untyped('learn', 3),
      untyped('call', 'learn'),
      untyped('call', 'learn', null),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'tools/bad-arguments' });
    // What is undefined is not given.
    await untyped('addFact', { title: 'a', text: 'b', provenance: ['cmd:x'], mergeKey: undefined });
    await ken.close();
  });
});
