/** Everything below `.ken`, replaced by what a repository or an archive can bring, for the commands that touch it. */

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { scaled } from '../scale.ts';

const TOPIC = '[kb.topic.garden]\nsubjects = ".ken/kb/garden"\n';
const LIMIT_MS = 20_000;

interface Workspace extends Sandbox {
  readonly conversation: string;
}

/** A workspace that has everything; each part has a word of its own. */
async function filledWorkspace(): Promise<Workspace> {
  const place = sandbox(TOPIC);
  place.write('.ken/config.local.toml', '[assistant]\nname = "localword"\n');
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
/** The last kinds are refused by the same line as a pipe; in the short run they stand for these files alone. */
const RARE_KINDS = ['directory', 'device', 'socket'];
const RARE_FILES = /^(?:config\.toml|knowledge\/knowledge\.db|conversations\/\w+\/events\.jsonl)$/;
const isLong = scaled(1) > 1;

function replace(place: Sandbox, relative: string, kind: (typeof KINDS)[number]): void {
  const file = path.join(place.root, '.ken', relative);
  const outside = path.join(place.home, 'outside');
  mkdirSync(outside);
  if (existsSync(file)) cpSync(file, path.join(outside, 'target'), { recursive: true });
  rmSync(file, { recursive: true, force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  if (kind === 'link') symlinkSync(path.join(outside, 'target'), file);
  if (kind === 'dangling link') symlinkSync(path.join(outside, 'new'), file);
  if (kind === 'pipe') execFileSync('mkfifo', [file]);
  if (kind === 'device') execFileSync('mknod', [file, 'c', '1', '5']);
  if (kind === 'directory') mkdirSync(file);
  if (kind === 'socket')
    execFileSync('python3', [
      '-c',
      `import socket; socket.socket(socket.AF_UNIX).bind(${JSON.stringify(file)})`,
    ]);
}

/** One that reads and one that writes come first. */
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

async function runWithin(
  place: Sandbox,
  words: readonly string[],
): Promise<{ code: number | null; said: string }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${words.join(' ')} hangs`)), LIMIT_MS);
  });
  const { code, stdout, stderr } = await Promise.race([place.ken(words, { input: 'new' }), late]);
  clearTimeout(timer);
  return { code, said: stdout + stderr };
}

const WORDS = ['subjectword', 'turnword', 'entryword', 'localword'];

it.each(KINDS.filter((kind) => kind !== 'device' || isRoot))(
  'answers, and reads and changes nothing outside, whatever is a %s',
  async (kind) => {
    const filled = await filledWorkspace();
    const home = path.join(filled.root, '.ken');
    const isShort = RARE_KINDS.includes(kind) && !isLong;
    const paths = [...new Set([...pathsBelow(home), ...MORE(filled.conversation)])];
    const failures: string[] = [];
    for (const relative of paths.filter((each) => !isShort || RARE_FILES.test(each))) {
      const place = sandbox();
      cpSync(home, path.join(place.root, '.ken'), { recursive: true });
      replace(place, relative, kind);
      const before = outsideOf(place);
      const hidden = WORDS.filter((word) => before.includes(word));
      const commands = commandsFor(relative, filled.conversation);
      for (const words of isLong ? commands : commands.slice(0, 2)) {
        const { code, said } = await runWithin(place, words);
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
