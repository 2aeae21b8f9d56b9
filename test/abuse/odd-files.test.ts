/** Everything below `.ken`, replaced by what a repository or an archive can bring, for the commands that touch it. */

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { endIfStuck } from '../end-if-stuck.ts';

const TOPIC = '[kb.topic.garden]\nsubjects = ".ken/kb/garden"\n';
const LIMIT_MS = 20_000;

interface Workspace extends Sandbox {
  readonly conversation: string;
}

/** A workspace that has everything; each part has a word of its own. */
async function filledWorkspace(): Promise<Workspace> {
  const place = sandboxHere(TOPIC);
  place.write('.ken/config.local.toml', '[assistant]\nname = "localword"\n');
  place.write('.ken/config.d/10.toml', '[assistant]\nname = "partword"\n');
  place.write('.ken/tools/hello.wasm', 'not a component: toolword\n');
  place.write('.ken/repair/2026-01-01T00-00-00Z/old.jsonl', '{"text":"keptword"}\n');
  place.write('.ken/index.db', 'of an older version');
  place.write('.ken/.gitignore', '*.db\n');
  place.write('.ken/kb/garden/tea.md', '# Tea\n\nThe subjectword is steeped.\n');
  await place.ken(['q', '-n', 'What about the turnword?']);
  const adding = ['k', 'add', '--id', 'a', '--title', 'A', '--provenance', 'cmd:x', '--text'];
  await place.ken([...adding, 'The entryword is kept.']);
  await place.ken(['k', 'decay']);
  const [conversation = ''] = readdirSync(path.join(place.root, '.ken/conversations'));
  return { ...place, conversation };
}

/** Names that need not be there. */
const MORE = (id: string) => [
  ...[`conversations/${id}/.writer.json`, `conversations/${id}/.writer.lock`],
  ...['-wal', '-shm', '-journal'].map((ending) => `knowledge/knowledge.db${ending}`),
  'knowledge/knowledge.promotions.jsonl',
];

function pathsBelow(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries.map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name))).sort();
}

const KINDS = ['link', 'dangling link', 'pipe', 'directory', 'device', 'socket'] as const;
const isRoot = process.getuid?.() === 0;

function replace(place: Sandbox, relative: string, kind: (typeof KINDS)[number]): void {
  const file = path.join(place.root, '.ken', relative);
  const outside = path.join(place.home, 'outside');
  mkdirSync(outside);
  if (existsSync(file)) cpSync(file, path.join(outside, 'target'), { recursive: true });
  rmSync(file, { recursive: true, force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  if (kind === 'link') symlinkSync(path.join(outside, 'target'), file);
  if (kind === 'dangling link') symlinkSync(path.join(outside, 'new'), file);
  if (kind === 'directory') mkdirSync(file);
  if (kind === 'pipe' || kind === 'device' || kind === 'socket') linkSync(oddFile(kind), file);
}

/** One of each, made once: every use is another name of it. */
const oddFiles = new Map<string, string>();

function oddFile(kind: 'pipe' | 'device' | 'socket'): string {
  const file = oddFiles.get(kind) ?? path.join(mkdtempSync(path.join(tmpdir(), 'ken-odd-')), kind);
  if (!oddFiles.has(kind)) {
    if (kind === 'pipe') execFileSync('mkfifo', [file]);
    if (kind === 'device') execFileSync('mknod', [file, 'c', '1', '5']);
    if (kind === 'socket') createServer().listen(file).unref();
    oddFiles.set(kind, file);
  }
  return file;
}

afterAll(() => {
  for (const file of oddFiles.values()) rmSync(path.dirname(file), { recursive: true });
});

/** Commands that read it, write it, or walk over it. */
function commandsFor(relative: string, id: string): string[][] {
  const adding = ['k', 'add', '--id', 'b', '--title', 'B', '--provenance', 'cmd:x', '--text', 'words'];
  const reading = {
    conversations: ['c', 'show', id],
    knowledge: ['k', 'list'],
    kb: ['learn', 'garden', 'tea'],
  };
  const area = relative.split('/')[0] ?? '';
  if (area === 'conversations')
    return [
      reading[area],
      ['q', '--id', id, 'and?'],
      ['c', 'ls'],
      ['c', 'label', 'add', id, 'x=y'],
      ['search', 'turn'],
    ];
  if (area === 'knowledge') return [reading[area], adding, ['k', 'verify'], ['search', 'kept']];
  if (area === 'kb') return [reading[area], ['kb', 'add', 'garden/new', '-'], ['search', 'steeped']];
  return [['status'], ['config', 'set', 'assistant.name', 'x'], ['doctor'], ['c', 'ls']];
}

/** Everything outside of the workspace that a link leads to, with its content. */
function outsideOf({ home }: Sandbox): string {
  const outside = path.join(home, 'outside');
  return JSON.stringify(
    pathsBelow(outside).map((name) => {
      const file = path.join(outside, name);
      return [name, statSync(file).isFile() && readFileSync(file, 'latin1')];
    }),
  );
}

/** Everything that can be read without following a link. */
function textInside(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join();
}

async function run(place: Sandbox, words: readonly string[]): Promise<{ code: number | null; said: string }> {
  const done = stuck.within(LIMIT_MS, `${words.join(' ')} hangs`);
  const { code, stdout, stderr } = await place.ken(words, { input: 'new' });
  done();
  return { code, said: stdout + stderr };
}

// A pipe that is opened holds the whole process.
const stuck = endIfStuck();

const WORDS = ['subjectword', 'turnword', 'entryword', 'localword', 'partword', 'toolword', 'keptword'];

it.each(KINDS.filter((kind) => kind !== 'device' || isRoot))(
  'answers, and reads and changes nothing outside, whatever is a %s',
  async (kind) => {
    const filled = await filledWorkspace();
    const home = path.join(filled.root, '.ken');
    const paths = [...new Set(['', ...pathsBelow(home), ...MORE(filled.conversation)])];
    const failures: string[] = [];
    for (const relative of paths) {
      const place = sandboxHere();
      cpSync(home, path.join(place.root, '.ken'), { recursive: true });
      replace(place, relative, kind);
      const before = outsideOf(place);
      const inside = textInside(place.root);
      const hidden = WORDS.filter((word) => before.includes(word) && !inside.includes(word));
      for (const words of commandsFor(relative, filled.conversation)) {
        const { code, said } = await run(place, words);
        const fail = (how: string) => failures.push(`${relative}: ${words.join(' ')} ${how}: ${said}`);
        if (code === null || code === 70) fail(`ended with ${code}`);
        if (kind === 'link' && hidden.some((word) => said.includes(word))) fail('shows what is outside');
        if (outsideOf(place) !== before) fail('changed what is outside');
      }
    }
    expect(failures).toEqual([]);
  },
  600_000,
);
