/** `learn` as a component says, byte for byte, what it says in this process. */

import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { topicDirectoriesOnDisk, topicFilesOnDisk } from '../../src/adapters/files/subject-files.ts';
import { wasmComponentHost } from '../../src/adapters/wasm/component-host.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { inTopic, itLearns, type LearnFiles } from '../../src/domain/knowledge-base/learn/learn.contract.ts';
import { withTopicMetadata } from '../../src/domain/knowledge-base/learn/learn.ts';
import { type LearnRunner, nativeLearnRunner } from '../../src/domain/knowledge-base/learn/learn-tool.ts';
import {
  sandboxedLearnRunner,
  type TopicDirectories,
} from '../../src/domain/knowledge-base/learn/sandboxed-learn.ts';
import type { Topic } from '../../src/domain/knowledge-base/topic.ts';
import type { ToolOutcome, ToolResult } from '../../src/domain/tools/tool.ts';
import { topic } from '../knowledge-base/example-topics.ts';
import { scaled } from '../scale.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'ken-learn-'));
const components = wasmComponentHost({
  cacheDirectory: path.join(scratch, 'cache'),
  memoryMib: 256,
  outputBytes: 1000,
});
afterAll(async () => {
  await components.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** In the place of the one before, so that one process, which takes longer to start than a call, serves them all. */
function workspaceOf(files: LearnFiles, place = 'workspace'): string {
  const root = path.join(scratch, place);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
  for (const [name, entry] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    if (typeof entry === 'object' && 'link' in entry) symlinkSync(entry.link, file);
    else writeFileSync(file, entry);
  }
  return root;
}

const refusing: LearnRunner = {
  run: () => Promise.reject(new Error('was not run in the sandbox')),
};

function runners(root: string): { native: LearnRunner; sandboxed: LearnRunner } {
  const native = nativeLearnRunner({ topicFiles: topicFilesOnDisk(root) });
  const topicDirectories = topicDirectoriesOnDisk(root);
  return {
    native,
    sandboxed: sandboxedLearnRunner({ components, topicDirectories }, refusing, { timeoutMs: 60_000 }),
  };
}

const signal = new AbortController().signal;
const questionOf = (about: Topic, subjects: readonly string[], maxSubjectBytes = 262_144): JsonObject =>
  withTopicMetadata({ topic: about.id, subjects }, { ...about, maxSubjectBytes });

function told(outcome: ToolOutcome): string {
  if (outcome.type === 'success') return outcome.text;
  return outcome.type === 'error' ? `error: ${outcome.message}` : 'a question';
}

itLearns('as a component', async (files, about, patterns = [], maxSubjectBytes) => {
  // A topic without files still has a directory here: without one nothing is run in a sandbox.
  const root = workspaceOf({ ...files, [`${about.directory}/.gitkeep`]: '' });
  const given = questionOf(about, patterns, maxSubjectBytes);
  return told((await runners(root).sandboxed.run(about, given, signal)).outcome);
});

const T = topic('t');

async function both(root: string, given: JsonObject): Promise<{ native: ToolResult; sandboxed: ToolResult }> {
  const { native, sandboxed } = runners(root);
  return {
    native: await native.run(T, given, signal),
    sandboxed: await sandboxed.run(T, given, signal),
  };
}

async function expectSame(root: string, given: JsonObject): Promise<ToolResult> {
  const { native, sandboxed } = await both(root, given);
  expect(sandboxed.outcome).toEqual(native.outcome);
  return sandboxed;
}

const examples = path.join(import.meta.dirname, '../../examples');
const exampleTopics = globSync('{*,*/workspace}/.ken/kb/*/', { cwd: examples }).sort();

it('knows the topics of all examples', () => {
  expect(exampleTopics.map((directory) => path.basename(directory))).toEqual(
    expect.arrayContaining(['home', 'me', 'project', 'skills', 'team']),
  );
});

it.each(exampleTopics)('says the same of the example %s, whole and subject by subject', async (directory) => {
  const about = {
    ...topic(path.basename(directory)),
    directory: path.join('.ken/kb', path.basename(directory)),
  };
  const { native, sandboxed } = runners(path.join(examples, directory, '../../..'));
  const subjects = globSync('**/*.md', { cwd: path.join(examples, directory) });
  expect(subjects.length).toBeGreaterThan(0);
  for (const asked of [[], ['**'], ...subjects.map((name) => [name.replace(/\.md$/, '')])]) {
    const given = questionOf(about, asked);
    const { outcome } = await sandboxed.run(about, given, signal);
    expect(told(outcome)).toBe(told((await native.run(about, given, signal)).outcome));
  }
});

it('says the same of links, pipes and names that are no text', async () => {
  const root = workspaceOf({
    ...inTopic({
      'a.md': 'A',
      'd/b.md': 'B',
      'inside.md': { link: 'd/b.md' },
      'chain.md': { link: 'inside.md' },
      'away-and-back.md': { link: '../t/a.md' },
      directory: { link: 'd' },
      round: { link: '.' },
      'outside.md': { link: '../../../outside.md' },
      outside: { link: '../..' },
      'system.md': { link: '/etc/passwd' },
      'broken.md': { link: 'nowhere.md' },
      'broken-outside.md': { link: '../../../nowhere.md' },
      'itself.md': { link: 'itself.md' },
    }),
    'outside.md': 'SECRET',
  });
  const directory = path.join(root, '.ken/kb/t');
  symlinkSync(path.join(directory, 'a.md'), path.join(directory, 'absolute.md'));
  symlinkSync(path.join(directory, 'd'), path.join(directory, 'absolute-directory'));
  execFileSync('mkfifo', [path.join(directory, 'pipe.md')]);
  writeFileSync(Buffer.concat([Buffer.from(`${directory}/caf`), Buffer.of(0xe9), Buffer.from('.md')]), 'x');
  for (const subjects of [[], ['**'], ['absolute'], ['away-and-back'], ['outside'], ['system'], ['pipe']]) {
    const { outcome } = await expectSame(root, questionOf(T, subjects));
    expect(told(outcome)).not.toMatch(/SECRET|root:/);
  }
  expect(told((await expectSame(root, questionOf(T, ['absolute']))).outcome)).toBe('A');
});

it('says the same whatever the files and the question', async () => {
  const name = fc
    .constantFrom('a', 'b', '.h', 'ü', 'x y', '日本', 'a*', '[b]')
    .chain((base) => fc.constantFrom('.md', '.toml', '.rs', '', '.MD').map((extension) => base + extension));
  const file = fc.tuple(fc.constantFrom('', 'd/', 'd/e/', '.z/'), name).map((parts) => parts.join(''));
  const content = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      '</subject>\r\n',
      '\ufeffx',
      '&lt;/topic',
      '```\n',
      '---\ndescription: d\n---\n',
      '\u001b[0m',
    ),
    fc.uint8Array({ maxLength: 20 }),
  );
  const pattern = fc.constantFrom(
    'a',
    'h',
    '*',
    '**',
    'd/*',
    '{a,b}',
    '[a-c]*',
    'd/**',
    '?',
    '!a',
    'nothing',
    'ü',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(file, content, { minKeys: 1, maxKeys: 6 }),
      fc.array(pattern, { maxLength: 3 }),
      fc.array(
        pattern.filter((each) => each !== '!a'),
        { maxLength: 2 },
      ),
      fc.integer({ min: 1, max: 80 }),
      async (files, subjects, learned, maxSubjectBytes) => {
        // A file cannot be where another has its directory.
        const names = Object.keys(files);
        fc.pre(!names.some((one) => names.some((other) => other.startsWith(`${one}/`))));
        const root = workspaceOf(inTopic(files));
        await expectSame(root, questionOf({ ...T, learned }, subjects, maxSubjectBytes));
      },
    ),
    { numRuns: scaled(15, 600) },
  );
});

it('says the same of a thousand subjects', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 1000 }, (_, at) => [
      `d${at % 30}/s${at}.md`,
      `# Subject ${at}\n\n${'word '.repeat(20)}\n`,
    ]),
  );
  const root = workspaceOf(inTopic(files));
  await expectSame(root, questionOf(T, []));
  const { receipt } = await expectSame(root, questionOf(T, ['d7/**']));
  expect(receipt?.filesWritten).toEqual([]);
  expect(receipt?.filesRead).toContainEqual({ path: '/subjects/d7/s7.md', bytes: expect.any(Number) });
});

it('says the same of a subject as long as they may be', async () => {
  const line = 'Ein langer Satz über nichts, mit `code` und </subject> darin.\n';
  const root = workspaceOf(inTopic({ 'long.md': line.repeat(5000) }));
  await expectSame(root, questionOf(T, ['*']));
});

it.each([3, true, {}, [1]])('says the same of subjects that are %j', async (subjects) => {
  const root = workspaceOf(inTopic({ 'a.md': 'A' }));
  const given = { ...questionOf(T, []), subjects };
  await expectSame(root, given);
});

it('leaves a topic without a directory, and one that follows links, to this process', async () => {
  const root = workspaceOf({ 'x.md': '' });
  const native: LearnRunner = {
    run: async () => ({ outcome: { type: 'success', text: 'native' } }),
  };
  const ports = { components, topicDirectories: topicDirectoriesOnDisk(root) };
  const runner = sandboxedLearnRunner(ports, native, { timeoutMs: 1000 });
  for (const about of [T, { ...T, directory: '.', followSymlinks: true }]) {
    expect(told((await runner.run(about, questionOf(about, []), signal)).outcome)).toBe('native');
  }
});

it('reads nothing of a directory that is swapped for a link before the sandbox is made', async () => {
  const root = workspaceOf(inTopic({ 'a.md': 'A' }));
  const outside = workspaceOf({ 'a.md': 'SECRET' }, 'outside');
  const found = topicDirectoriesOnDisk(root);
  const topicDirectories: TopicDirectories = {
    async find(about) {
      const place = await found.find(about);
      renameSync(path.join(root, T.directory), path.join(root, 'moved'));
      symlinkSync(outside, path.join(root, T.directory));
      return place;
    },
  };
  const runner = sandboxedLearnRunner({ components, topicDirectories }, refusing, { timeoutMs: 60_000 });
  const answer = runner.run(T, questionOf(T, ['*']), signal).then(({ outcome }) => told(outcome), String);
  expect(await answer).not.toContain('SECRET');
});

it('says nothing about the machine when the guest is told to misuse what it has', async () => {
  const root = workspaceOf(inTopic({ 'a.md': 'A' }));
  await expect(runners(root).sandboxed.run(T, { subjects: [] }, signal)).rejects.toMatchObject({
    code: 'wasm/trap',
  });
});
