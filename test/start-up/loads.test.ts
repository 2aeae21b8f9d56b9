import { expect, it } from 'vitest';
import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { calling, saying } from '../conversations/scripted-replies.ts';
import { replayServer } from '../recorded/replay-server.ts';
import { bundleLoads, sourceLoads } from './loads.ts';

/**
 * The lists of what a command may load, in a workspace where it ran before. The lists are complete: one package or one part of the
 * sources more, and its start has become slower for everybody. A new hot command gets a row here.
 */
interface Budget {
  readonly words: readonly string[];
  readonly code?: number;
  /** The most files of src/. */
  readonly files: number;
  /** Files or folders of src/. */
  readonly sources: readonly string[];
  /** npm packages, by name. */
  readonly packages: readonly string[];
  /** Files of the bundle. */
  readonly layers: readonly string[];
  /** The heavy parts of Node that it needs. */
  readonly builtins?: readonly string[];
  /** Makes what the command needs; without it, an empty directory. */
  prepare?(): Sandbox | Promise<Sandbox>;
}

const FRAME = ['main.ts', 'app.ts', 'base', 'entry/cli'];
const CONFIG = ['config'];
/** Needed to open the app. */
const OPENED = [
  'compose.ts',
  'compose/configuration.ts',
  'compose/part.ts',
  'adapters/files',
  'adapters/paths',
  'compose/part.ts',
  'adapters/system',
  'domain/approvals',
  'domain/knowledge-base/subject-files.ts',
  'domain/knowledge-base/walk-files.ts',
];

const CORE = ['core', 'main'];

const KNOWLEDGE: Omit<Budget, 'words' | 'files'> = {
  packages: ['smol-toml'],
  sources: [...FRAME, ...CONFIG, ...OPENED, 'domain/knowledge-base', 'domain/tools'],
  layers: CORE,
  builtins: ['node:fs/promises'],
  prepare: withSubject,
};

const HEAVY_BUILTINS = [
  'node:sqlite',
  'node:http',
  'node:https',
  'node:worker_threads',
  'node:child_process',
  'node:crypto',
  // These load all of Node's streams.
  'node:fs/promises',
  'node:stream',
  'node:zlib',
];

const BUDGETS: readonly Budget[] = [
  {
    words: ['--version'],
    files: 30,
    packages: [],
    sources: FRAME,
    layers: [],
  },
  { words: ['--help'], files: 40, packages: [], sources: FRAME, layers: CORE },
  { words: ['serch'], code: 2, files: 40, packages: [], sources: FRAME, layers: CORE },
  {
    words: ['complete', '--', 'config', ''],
    files: 80,
    packages: [],
    sources: [...FRAME, ...CONFIG],
    layers: [...CORE, 'rest', 'search'],
  },
  {
    words: ['complete', '--line', 'ken config show '],
    files: 120,
    packages: ['smol-toml'],
    sources: [...FRAME, ...CONFIG, ...OPENED],
    layers: [...CORE, 'rest', 'search'],
  },
  {
    words: ['status'],
    files: 230,
    packages: ['smol-toml'],
    sources: [...FRAME, ...CONFIG, ...OPENED, 'compose', 'domain', 'adapters/lock'],
    layers: ['approvals', ...CORE, 'rest', 'search', 'tools'],
    prepare: () => sandbox('[assistant]\nname = "ken"\n'),
  },
  {
    words: ['hook', 'session-start'],
    files: 138,
    packages: ['smol-toml'],
    sources: [
      ...FRAME,
      ...CONFIG,
      ...OPENED,
      ...['compose/approvals.ts', 'compose/ledger.ts', 'adapters/lock', 'adapters/sqlite'],
      ...['domain', 'entry/project-directory.ts'],
    ],
    layers: ['approvals', ...CORE, 'search'],
    builtins: ['node:crypto', 'node:sqlite'],
    prepare: withRule,
  },
  { words: ['learn', 'project', 'tea'], files: 78, ...KNOWLEDGE, builtins: [] },
  { words: ['kb', 'ls'], files: 93, ...KNOWLEDGE },
  {
    words: ['c', 'ls'],
    files: 119,
    packages: ['smol-toml'],
    sources: [
      ...FRAME,
      ...CONFIG,
      ...OPENED,
      'compose/conversations.ts',
      'domain/conversations',
      'domain/labels',
      'entry/conversation-settings.ts',
    ],
    layers: [...CORE, 'search'],
    builtins: ['node:fs/promises'],
    prepare: withConversation,
  },
  {
    words: ['search', 'tea'],
    files: 150,
    packages: ['smol-toml'],
    sources: [
      ...FRAME,
      ...CONFIG,
      ...OPENED,
      ...['conversations', 'ledger', 'references', 'search'].map((part) => `compose/${part}.ts`),
      'adapters/sqlite',
      'adapters/embedders',
      'domain',
      'entry/ask-app.ts',
      'entry/searched-indexes.ts',
    ],
    layers: [...CORE, 'search'],
    // A file that was changed a moment ago is read and hashed anew.
    builtins: ['node:crypto', 'node:sqlite'],
    prepare: withSubject,
  },
  {
    words: ['tools', 'run', 'learn', '{"topic":"project"}'],
    files: 206,
    packages: ['smol-toml'],
    sources: [
      ...FRAME,
      ...CONFIG,
      ...OPENED,
      ...['approvals', 'outside', 'tools'].map((part) => `compose/${part}.ts`),
      ...['adapters/wasm', 'domain', 'entry/turn-ports.ts'],
    ],
    layers: ['approvals', ...CORE, 'search', 'tools'],
    builtins: ['node:child_process', 'node:zlib'],
    prepare: withSubject,
  },
  // The model calls a tool that asks, and the operator approves it.
  {
    words: ['q', 'Go.'],
    files: 240,
    packages: [
      ...['openai-compatible', 'provider', 'provider-utils'].map((name) => `@ai-sdk/${name}`),
      ...['@workflow/serde', 'eventsource-parser', 'smol-toml', 'zod'],
    ],
    sources: [
      ...FRAME,
      ...CONFIG,
      ...OPENED,
      ...['approvals', 'conversations', 'ledger', 'outside', 'references', 'tools'].map(
        (part) => `compose/${part}.ts`,
      ),
      ...['lock', 'models', 'sqlite', 'terminal', 'wasm'].map((part) => `adapters/${part}`),
      'domain',
      'entry/conversation-settings.ts',
      'entry/turn-ports.ts',
    ],
    layers: ['approvals', ...CORE, 'models', 'rest', 'search', 'tools'],
    builtins: HEAVY_BUILTINS,
    prepare: withApprovedTool,
  },
];

function withSubject(): Sandbox {
  const place = sandbox('[kb.topic.project]\ntitle = "Project"\nsubjects = ".ken/kb/project"\n');
  place.write('.ken/kb/project/tea.md', '# Tea\n\nGreen tea.\n');
  return place;
}

/** A rule that the operator approved. */
async function withRule(): Promise<Sandbox> {
  const place = withSubject();
  writeOwnConfig(place.home, 'approvals.noninteractive = "allow"');
  await place.ken([
    'k',
    'add',
    '--id',
    'tea',
    '--title',
    'Tea',
    '--text',
    'Warm the pot.',
    '--provenance',
    'cmd:x',
  ]);
  const reasons = ['--evidence-ref', 'a', '--reason', 'agreed'];
  await place.ken(['k', 'promote', 'tea', ...reasons, '--as', 'procedural/tea']);
  return place;
}

function withConversation(): Sandbox {
  const place = sandbox('');
  const directory = `.ken/conversations/${conversationIdAt(Date.UTC(2026, 0, 1), 'abcd')}`;
  place.write(`${directory}/metadata.json`, '{"created_at":"2026-01-01T00:00:00.000Z"}');
  place.write(`${directory}/base_config.json`, '{}');
  place.write(`${directory}/events.jsonl`, '');
  return place;
}

/** A model that calls a tool in each of the runs. */
async function withApprovedTool(): Promise<Sandbox> {
  const run = [calling([{ name: 'mark', arguments: {} }]), saying('Done.')];
  const { url } = await replayServer([...run, ...run, ...run]);
  const place = sandbox('');
  const config = [
    'assistant.model = "loop/m"',
    `providers.llm.loop = { kind = "openai-compatible", base_url = "${url}/v1" }`,
    'approvals.noninteractive = "allow"',
    'conversation.tools.mark = { source = "local", command = "touch marked", run = "ask", parameters = {} }',
  ];
  writeOwnConfig(place.home, config.join('\n'));
  return place;
}

it.each(BUDGETS)('$words loads no more than it needs', async ({ words, code = 0, prepare, ...budget }) => {
  const place = (await prepare?.()) ?? sandbox();
  await place.ken(words);
  const { sources, packages } = await sourceLoads(place, words, code);
  const isAllowed = (file: string) =>
    budget.sources.some((part) => file === part || file.startsWith(`${part}/`));
  expect(sources).toContain('main.ts');
  expect(sources.filter((file) => !isAllowed(file))).toEqual([]);
  expect(sources.length, `at most ${budget.files} files`).toBeLessThanOrEqual(budget.files);
  expect(packages).toEqual(budget.packages);
  // The binary runs the same bundle, where nothing can be loaded first that would watch it.
  if (process.env.KEN_TEST_BINARY) return;
  const { layers, builtins } = await bundleLoads(place, words, code);
  expect(layers).toEqual(budget.layers);
  const heavy = builtins.filter((name) => HEAVY_BUILTINS.includes(name));
  expect(heavy.filter((name) => !budget.builtins?.includes(name))).toEqual([]);
});
