/** One bad tool, server, topic, entry, conversation or setting, and the commands that do not need it. */

import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { indexFile, type Result, type Sandbox } from '../cli/ken.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { referencePlace } from '../references/library.ts';
import { scaled } from '../scale.ts';
import { variable } from '../tools/mcp-sandbox.ts';

const CONFIG = '[kb.topic.garden]\nsubjects = "garden"\n';

interface Place extends Sandbox {
  readonly conversations: readonly string[];
  /** Everything as it was when the place was made. */
  reset(): void;
}

/** A workspace with a little of everything. */
async function filledPlace(): Promise<Place> {
  const place = referencePlace({ 'kettle.md': '# Kettle\n\nThe kettle whistles at 100 degrees.\n' });
  const { ken, write, url } = place;
  write('.ken/config.toml', CONFIG);
  write('garden/tea.md', '# Tea\n\nGreen tea is steeped at 80 degrees.\n');
  const fact = ['k', 'add', '--id', 'pot', '--title', 'Pot', '--text', 'The pot holds a litre.'];
  await ken([...fact, '--provenance', 'cmd:true']);
  for (const question of ['How is tea steeped?', 'How much does the pot hold?'])
    await ken(['q', '-n', question]);
  const made = await ken(['ref', 'create', '--title', 'Kettle', '--git', url]);
  expect(made).toMatchObject({ code: 0 });
  const base = path.dirname(place.root);
  const kept = ['work', 'home/data', 'home/config'];
  for (const each of kept) cpSync(path.join(base, each), path.join(base, 'copy', each), { recursive: true });
  const reset = () => {
    for (const each of [...kept, 'home/cache', 'home/state'])
      rmSync(path.join(base, each), { recursive: true, force: true });
    for (const each of kept)
      cpSync(path.join(base, 'copy', each), path.join(base, each), {
        recursive: true,
        preserveTimestamps: true,
      });
  };
  return { ...place, reset, conversations: readdirSync(path.join(place.root, '.ken/conversations')) };
}

type Area = 'ledger' | 'approvals' | 'model' | 'none';

/** Each with what it needs. */
const commandsOf = (other: string): readonly (readonly [readonly string[], ...Area[]])[] => [
  [['learn', 'garden', 'tea']],
  [['kb', 'ls']],
  [['kb', 'add', 'garden/new', '-']],
  [['k', 'list'], 'ledger'],
  [['k', 'show', 'pot'], 'ledger'],
  [['k', 'verify', '--all'], 'ledger'],
  [['search', 'green', 'tea', 'steeped']],
  [['search', 'kettle', 'whistles', '--in', 'refs']],
  [['q', '-n', 'How is green tea steeped?'], 'model'],
  [['c', 'ls']],
  [['c', 'show', other]],
  [['c', 'label', 'add', '--id', other, 'x=y']],
  [['c', 'grep', 'pot']],
  [['ref', 'ls']],
  [['ref', 'search', 'kettle', 'whistles']],
  [['tools', 'ls']],
  [['tools', 'run', 'learn', '{"topic":"garden"}']],
  [['status']],
  [['config', 'show', 'assistant.name']],
  [['approvals', 'ls'], 'approvals'],
  [['trust', '--show'], 'approvals'],
  [['backup']],
];

interface Bad {
  readonly breaks: Area;
  readonly how: (place: Place) => unknown;
  /** Words of doctor about it. */
  readonly told: RegExp;
}

const own = (text: string) => (place: Place) =>
  writeOwnConfig(place.home, `approvals.noninteractive = "allow"\n${text}`);
const tool = (text: string, told: RegExp): Bad => ({
  breaks: 'none',
  told,
  how: own(`[conversation.tools.bad]\n${text}\n`),
});
const conversation = (file: string, content: string, told: RegExp): Bad => ({
  breaks: 'none',
  told,
  how: ({ root, conversations: [first = ''] }) =>
    writeFileSync(path.join(root, '.ken/conversations', first, file), content),
});
/** An archive can bring one; to open it would hold the whole process. */
const pipe = (fileIn: (place: Place) => string, told: RegExp, breaks: Area = 'none'): Bad => ({
  breaks,
  told,
  how(place) {
    const file = fileIn(place);
    rmSync(file, { recursive: true, force: true });
    mkdirSync(path.dirname(file), { recursive: true });
    execFileSync('mkfifo', [file]);
  },
});
const below = (relative: string) => (place: Place) => path.join(place.root, relative);
const inFirst = (file: string) => (place: Place) =>
  path.join(place.root, '.ken/conversations', place.conversations[0] ?? '', file);
const reference = (file: string, content: string | undefined, told: RegExp): Bad => ({
  breaks: 'none',
  told,
  how({ home }) {
    const directory = path.join(home, 'data/references/kettle');
    mkdirSync(path.join(home, 'data/references/other'));
    cpSync(directory, path.join(home, 'data/references/other'), { recursive: true });
    const target = path.join(home, 'data/references/other', file);
    if (content === undefined) rmSync(target);
    else writeFileSync(target, content);
  },
});

const DEEP = `${'['.repeat(6000)}${']'.repeat(6000)}`;

const BAD: Readonly<Record<string, Bad>> = {
  'a tool that is no builtin': tool('source = "builtin.nosuch"', /There is no builtin tool "nosuch"/),
  'a tool of an unknown source': tool('source = "shell"', /unknown source "shell"/),
  'a tool with neither command nor component': tool('source = "local"', /neither "command" nor "wasm"/),
  'a tool whose component is missing': tool('wasm = "/nowhere/x.wasm"', /"bad": /),
  'a tool with a digest that is none': tool('wasm = "sha256:12"', /has no digest/),
  'a tool of a server that is not configured': tool('source = "mcp.nosuch.x"', /no server "nosuch"/),
  'a tool with a parameter of no type': tool(
    'command = "true"\nparameters.p.type = "text"',
    /parameters\.p\.type must be/,
  ),
  'a tool with an unknown placeholder': tool('command = "echo {{who}}"', /mentions \{\{who\}\}/),
  'a tool whose program is not installed': tool('command = "nosuch-program"', /needs nosuch-program/),
  'defaults of tools that say too much': {
    breaks: 'none',
    told: /cannot have "command"/,
    how: own(`[conversation.tools.'*']\ncommand = "true"\n[conversation.tools.bad]\ncommand = "true"\n`),
  },
  'a server without a place': {
    breaks: 'none',
    told: /Servers: "bad"/,
    how: own('[providers.mcp.bad]\noptional = false\n'),
  },
  'a server whose variable is not set': {
    breaks: 'none',
    told: /Servers: "bad": .*NOSUCH/,
    how: own(`[providers.mcp.bad]\ncommand = "true"\nenv.X = "${variable('NOSUCH')}"\n`),
  },
  'a server whose program is not installed': {
    breaks: 'none',
    told: /Servers: "bad": it needs nosuch-program/,
    how: own('[providers.mcp.bad]\ncommand = "nosuch-program"\n'),
  },
  'a topic without a directory': {
    breaks: 'none',
    told: /Knowledge base: bad: /,
    how: ({ write }) => write('.ken/config.toml', `${CONFIG}[kb.topic.bad]\nsubjects = "nowhere"\n`),
  },
  'a topic that is a file': {
    breaks: 'none',
    told: /Knowledge base: bad: /,
    how({ write }) {
      write('file', 'x');
      write('.ken/config.toml', `${CONFIG}[kb.topic.bad]\nsubjects = "file"\n`);
    },
  },
  'a subject that is no text': {
    breaks: 'none',
    told: /Knowledge base: 1 finding/,
    how: ({ write }) => write('garden/picture.png', Buffer.from([0, 255, 0])),
  },
  'a reference topic that cannot be read': reference('topic.md', 'hello', /topic-other: /),
  'a reference topic with a broken lock': reference('lock.jsonl', 'hello\n', /topic-other: lock\.jsonl/),
  'a reference topic without a file': reference('files/kettle.md', undefined, /topic-other: .*missing/),
  'a ledger that is none': {
    breaks: 'ledger',
    told: /Ledger: .*knowledge\.db/,
    how: ({ write }) => write('.ken/knowledge/knowledge.db', 'hello'.repeat(1000)),
  },
  'a line of a ledger file that is none': {
    breaks: 'none',
    told: /Repairs: .*events\.jsonl/,
    how: ({ root }) =>
      appendFileSync(path.join(root, '.ken/knowledge/knowledge.retrieval.events.jsonl'), '{"half\n'),
  },
  'a promotion that is none': {
    breaks: 'none',
    told: /Ledger: knowledge\.promotions\.jsonl line 1/,
    how: ({ write }) => write('.ken/knowledge/knowledge.promotions.jsonl', '{"event_id":"x"}\n'),
  },
  'a conversation without metadata': conversation('metadata.json', '', /Conversations: .*metadata/),
  'a conversation with nested metadata': conversation(
    'metadata.json',
    `{"title":${DEEP}}`,
    /Conversations: .*metadata/,
  ),
  'a conversation with lines that are no events': conversation(
    'events.jsonl',
    'x\n',
    /Conversations: .*log|events/,
  ),
  'a conversation with settings that are none': conversation(
    'base_config.json',
    DEEP,
    /Repairs: .*base_config/,
  ),
  'a .gitignore that is a pipe': pipe(below('.ken/.gitignore'), /\.gitignore/),
  'a subject that is a pipe': pipe(below('garden/pipe.md'), /Knowledge base: 1 finding/),
  'a conversation that is a pipe': pipe(inFirst(''), /Conversations: /),
  'metadata that are a pipe': pipe(inFirst('metadata.json'), /Conversations: /),
  'a log that is a pipe': pipe(inFirst('events.jsonl'), /Conversations: /),
  'settings of a conversation that are a pipe': pipe(inFirst('base_config.json'), /base_config/),
  'a writer that is a pipe': pipe(inFirst('.writer.json'), /./),
  'a kept repair that is a pipe': pipe(below('.ken/repair/2026-01-01/x'), /./),
  'a file of a reference topic that is a pipe': pipe(
    ({ home }) => path.join(home, 'data/references/kettle/files/extra.md'),
    /./,
  ),
  'an index that is a pipe': pipe(({ root, home }) => indexFile({ root, home }), /./),
  'a directory of cached pages that is a pipe': pipe(({ home }) => path.join(home, 'cache/http'), /./),
  'inspections that are a pipe': pipe(({ home }) => path.join(home, 'state/inspected'), /./),
  'approvals that are none': {
    breaks: 'approvals',
    told: /Approvals: .*approvals\.db/,
    how: ({ home }) => writeFileSync(path.join(home, 'data/approvals.db'), 'hello'.repeat(1000)),
  },
  'a model of nobody': {
    breaks: 'model',
    told: /Model: "nosuch\/x"/,
    how: own('assistant.model = "nosuch/x"\n'),
  },
  'a provider without a key': {
    breaks: 'model',
    told: /Model: .*ANTHROPIC_API_KEY/,
    how: own('assistant.model = "anthropic/x"\n'),
  },
  'an embedder of nobody': {
    breaks: 'none',
    told: /Embedder: .*nosuch/,
    how: own('search.embedder = "nosuch/y"\n'),
  },
  'a label whose program is not installed': {
    breaks: 'none',
    told: /./,
    how: own('[conversation.labels.host]\nvalue.cmd = "nosuch-program"\n'),
  },
};

/** Few of the commands for each, in turn; all of them in the long run. */
const SHARE = scaled(7, 1);
const DOCTOR_SHARE = scaled(3, 1);

it('stops no command that does not need it, and doctor names it', async () => {
  const place = await filledPlace();
  const [, other = ''] = place.conversations;
  const commands = commandsOf(other);
  const run = (words: readonly string[]) => place.ken(words, { input: 'new' });
  const codes = new Map<string, Result['code']>();
  for (const [words] of commands) codes.set(words.join(' '), (await run(words)).code);
  const failures: string[] = [];
  for (const [at, [name, bad]] of Object.entries(BAD).entries()) {
    place.reset();
    bad.how(place);
    if (at % DOCTOR_SHARE === 0) {
      const { stdout } = await run(['doctor']);
      if (!bad.told.test(stdout)) failures.push(`${name}: doctor does not tell: ${stdout}`);
    }
    for (const [turn, [words, ...needs]] of commands.entries()) {
      if (needs.includes(bad.breaks) || (at + turn) % SHARE !== 0) continue;
      const { code, stderr, stdout: said } = await run(words);
      if (code !== codes.get(words.join(' ')))
        failures.push(`${name}: ${words.join(' ')} ends with ${code}: ${stderr}${said}`);
    }
  }
  expect(failures).toEqual([]);
});
