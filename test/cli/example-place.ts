/** A workspace that has everything the examples of the help name. */

import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CLAUDE_MEM_SCHEMA, QMD_SCHEMA } from '../foreign-schemas.ts';
import { git } from '../git/repositories.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import type { Sandbox } from './ken.ts';
import { runningHere } from './ken-here.ts';
import { writeOwnConfig } from './own-config.ts';

const READ_FILE = path.join(import.meta.dirname, '../../guests/read-file/read-file.wasm');

const CONFIG = `[kb.topic.project]
title = "Project"
subjects = ".ken/kb/project"

[kb.topic.skills]
title = "Skills"
subjects = ".ken/kb/skills"

[conversation.labels]
branch = "main"
team = "platform"

[conversation.tools.hello]
source = "local"
wasm = ".ken/tools/hello.wasm"
access = "read"
parameters.name.type = "string"

[conversation.tools.deploy]
source = "local"
command = { program = "echo", args = ["done"] }

[conversation.tools.issues]
source = "mcp.github.list_issues"

[providers.mcp.github]
command = "github-mcp-server"
`;

const OWN = `approvals.noninteractive = "allow"
[assistant]
model = "ken/extractive"
`;

const AT = '2026-11-01T12:00:00.000Z';
const ENTRY = '01K9ZC4N8QW3N5V7X9B1D3F5H7';

const FILES: Readonly<Record<string, string>> = {
  '.ken/kb/project/deploy.md':
    '# Deploying\n\nWe deploy on Tuesdays, after review.\nA deploy needs a tag.\nPort 8080.\nAsk ada.\nNever on Friday.\nTwo people.\nDone.\n',
  '.ken/kb/project/maintainers/ada.md':
    '# Ada\n\nAda reviews changes of the payments. Her connection is refused.\n',
  '.ken/kb/project/old-notes.md': '# Old notes\n\nNothing.\n',
  '.ken/kb/project/notes.md': '# Notes\n\nThe capacity of the hall is forty. Read the body.\n',
  '.ken/kb/project/ast-grep.md': '# ast-grep\n\nSearch code by shape.\n',
  '.ken/kb/skills/ast-grep/rules.md': '# Rules\n\nComponent lifecycle hooks.\n',
  'docs/deploy.md': '# Deploy\n\n1\n2\n3\n4\n5\n6\n7\n8\n',
  'src/main.ts': 'export const payment = 1;\n',
  'notes.md': '# Notes\n',
  'limits.toml': 'requests = 100\n',
  'ada.md': '# Ada\n',
  'rules.md': '# Rules\n',
  'ports.txt': 'LISTEN 8080\n',
  'diff.patch': '+ one\n',
  'event.json': '{}\n',
  'questions.jsonl': '{"question": "how do we deploy", "expected": "ken://kb/project/deploy"}\n',
  'memories.json': '[{"id":"a","text":"Deploys need a tag."}]\n',
  'ses_1.json': '{"info":{"id":"ses_1","title":"Gates","time":{"created":1}},"messages":[]}\n',
  'talk.jsonl': `{"type":"user","uuid":"u","sessionId":"s","timestamp":"${AT}","message":{"content":"Hi"}}\n`,
  '../home/.claude/projects/-home-ada-garden/a.jsonl': `{"type":"user","uuid":"u","sessionId":"t","timestamp":"${AT}","message":{"content":"Hi"}}\n`,
  'package-lock.json': '{"packages": {"node_modules/hono": {"version": "4.1.0"}}}\n',
  '../home/basic-memory/tea.md': '# Tea\n\n- [method] Steep it.\n',
  '../home/.claude-mem/x': '',
  '../home/.cache/qmd/x': '',
  '../home/manuals/pump.md': '# Pump\n\nSeven bar.\n',
  '../home/.zfunc/x': '',
  '../home/.config/fish/completions/x': '',
  '../home/.local/share/bash-completion/completions/x': '',
  '../home/projects/x': '',
  'dioxus/README.md':
    '# Dioxus\n\nComponent lifecycle hooks of a Rust GUI framework with React-like syntax.\n',
};

function conversation(place: Sandbox, id: string, title: string, labels: object): void {
  const directory = `.ken/conversations/${id}`;
  place.write(`${directory}/metadata.json`, JSON.stringify({ title, created_at: AT, active_at: AT, labels }));
  place.write(`${directory}/base_config.json`, '{}');
  const turn = (number: number, text: string) => [
    { type: 'turn_start', at: AT, turn: number },
    { type: 'user_message', at: AT, text },
    {
      type: 'assistant_message',
      at: AT,
      text: 'Because of a timeout, see the TODO.',
      model: 'x/y',
      finish: 'stop',
    },
  ];
  const questions = ['How do we deploy?', 'connection refused', 'Why?', 'And then?', 'Who?'];
  const events = questions.flatMap((text, at) => turn(at + 1, text));
  place.write(`${directory}/events.jsonl`, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
}

/** Databases of claude-mem and of qmd, with one thing in each. */
function foreignDatabases(home: string): void {
  const claudeMem = new DatabaseSync(path.join(home, '.claude-mem/claude-mem.db'));
  claudeMem.exec(`${CLAUDE_MEM_SCHEMA}
    insert into sdk_sessions values (1, 'c', 'm', 'garden', null, '', 1, 'active', null);
    insert into user_prompts values (1, 'c', 1, 'Hi', '', 1);
    insert into observations (memory_session_id, project, type, title, narrative, created_at, created_at_epoch)
      values ('m', 'garden', 'change', 'Gate', 'It is blue.', '', 1);`);
  claudeMem.close();
  const qmd = new DatabaseSync(path.join(home, '.cache/qmd/index.sqlite'));
  qmd.exec(`${QMD_SCHEMA}
    insert into content values ('h', 'Tea.', '');
    insert into documents values (1, 'notes', 'tea.md', '', 'h', '', '', 1);`);
  qmd.close();
}

export interface ExamplePlace {
  readonly place: Sandbox;
  /** Puts everything back as it was made. */
  restore(): void;
  /** The real ids, by the ids in the examples. */
  readonly ids: ReadonlyMap<string, string>;
}

export async function examplePlace(place: Sandbox): Promise<ExamplePlace> {
  for (const [file, content] of Object.entries(FILES)) place.write(file, content);
  place.write('.ken/config.toml', CONFIG);
  foreignDatabases(path.join(place.root, '../home'));
  cpSync(READ_FILE, path.join(place.root, '.ken/tools/hello.wasm'), { recursive: true });
  cpSync(READ_FILE, path.join(place.root, '.ken/tools/maths.wasm'));
  cpSync(READ_FILE, path.join(place.root, 'maths.wasm'));
  cpSync(READ_FILE, path.join(place.root, 'hello.wasm'));
  conversation(place, '1m7ezjkjqnxq', 'Deploying', { branch: 'main', done: '' });
  conversation(place, '1m7ezjkj01k9', 'Ports', { wip: '', done: '', team: 'a' });
  conversation(place, '1m7ezjkj01k8', 'Gates', { wip: '' });
  writeOwnConfig(place.home, OWN);
  const here = runningHere(place);
  const run = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await here.ken(words);
    if (code !== 0) throw new Error(`ken ${words.join(' ')}: ${stderr}`);
    return stdout;
  };
  await run('trust');
  const fact = (id: string, more: readonly string[] = []) =>
    run('k', 'add', '--id', id, '--title', `About ${id}`, '--text', 'Deploys need a tag.', ...more);
  const source = ['--provenance', 'file:docs/deploy.md#L3-L9'];
  await fact(ENTRY, [...source, '--tag', 'deploy']);
  await fact('ports', [...source, '--merge-key', 'port']);
  await fact('A', source);
  await fact('B', source);
  for (const title of ['one', 'two'])
    await run(
      'k',
      'add',
      '--id',
      'ports',
      '--title',
      title,
      '--text',
      title,
      ...source,
      '--merge-key',
      'port',
    );
  await run('k', 'claims', 'retries', '--text', 'Deploys are tried three times.');
  await run(...`k promote ports --evidence-ref commit:abc123 --reason x --as procedural/release`.split(' '));
  await run('ref', 'import', 'dioxus', '--title', 'Dioxus', '--tag', 'rust');
  await run('ref', 'update', 'dioxus', '--max-age-days', '60');
  await run('ref', 'export', 'dioxus', 'dioxus-topic');
  await run('backup', 'knowledge.ken.tar.gz');
  for (const id of ['01k8', 'ezjkjqnxq']) await run('c', 'use', id);
  await run('k', 'export', '--output', 'ledger.jsonl');
  const repository = path.join(place.root, 'signals');
  const guide = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join('');
  place.write('signals/docs/guide.md', guide);
  git(place.root, ['init', '-q', repository]);
  git(repository, ['add', '.']);
  git(repository, ['commit', '-qm', 'x']);
  await run('ref', 'create', '--title', 'Signals', '--git', './signals');
  await run('ref', 'reindex');
  const commit = git(repository, ['rev-parse', 'HEAD']).trim();
  rmSync(repository, { recursive: true });
  const listed = JSON.parse(await run('jobs', 'ls', '--all', '--json'));
  writeOwnConfig(place.home, OWN.split('\n').slice(1).join('\n'));
  await here.ken(['ref', 'create', '--title', 'Waiting', '--web', 'https://example.org/']);
  const { approvals } = JSON.parse(await run('approvals', 'ls', '--json'));
  const { restore } = snapshot(place);
  const ids = new Map([
    ['approval', approvals[0].id as string],
    ['job', listed.jobs[0].id as string],
    ['commit', commit.slice(0, 7)],
  ]);
  return { place, restore, ids };
}

function snapshot({ root, home }: Sandbox) {
  const base = temporaryDirectory();
  const pairs = [root, home].map((directory, at) => [directory, path.join(base, String(at))] as const);
  for (const [directory, copy] of pairs)
    cpSync(directory, copy, { recursive: true, preserveTimestamps: true });
  return {
    restore() {
      for (const [directory, copy] of pairs) {
        for (const name of readdirSync(directory))
          rmSync(path.join(directory, name), { recursive: true, force: true });
        cpSync(copy, directory, { recursive: true, preserveTimestamps: true });
      }
    },
  };
}
