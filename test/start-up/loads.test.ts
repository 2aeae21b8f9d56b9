import { expect, it } from 'vitest';
import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { bundleLoads, sourceLoads } from './loads.ts';

/**
 * What a command may load, in a workspace where it ran before. The lists are complete: one package or one part of the
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
  /** Of the heavy parts of Node, the ones it needs. */
  readonly builtins?: readonly string[];
  /** Makes what the command needs; without it, an empty directory. */
  prepare?(): Sandbox;
}

const FRAME = ['main.ts', 'app.ts', 'base', 'entry/cli'];
const CONFIG = ['config'];
/** What opening the app takes. */
const OPENED = [
  'compose.ts',
  'compose/configuration.ts',
  'adapters/files',
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
  prepare: withSubject,
};

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
    sources: [...FRAME, ...CONFIG, ...OPENED, 'compose', 'domain'],
    layers: [...CORE, 'rest', 'search'],
    prepare: () => sandbox('[assistant]\nname = "ken"\n'),
  },
  { words: ['learn', 'project', 'tea'], files: 80, ...KNOWLEDGE },
  { words: ['kb', 'ls'], files: 92, ...KNOWLEDGE },
  {
    words: ['c', 'ls'],
    files: 118,
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
];

const HEAVY_BUILTINS = [
  'node:sqlite',
  'node:http',
  'node:https',
  'node:worker_threads',
  'node:child_process',
  'node:crypto',
];

function withSubject(): Sandbox {
  const place = sandbox('[kb.topic.project]\ntitle = "Project"\nsubjects = ".ken/kb/project"\n');
  place.write('.ken/kb/project/tea.md', '# Tea\n\nGreen tea.\n');
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

it.each(BUDGETS)('$words loads no more than it needs', async ({ words, code = 0, prepare, ...budget }) => {
  const place = prepare?.() ?? sandbox();
  await place.ken(words);
  const { sources, packages } = await sourceLoads(place, words, code);
  const isAllowed = (file: string) =>
    budget.sources.some((part) => file === part || file.startsWith(`${part}/`));
  expect(sources).toContain('main.ts');
  expect(sources.filter((file) => !isAllowed(file))).toEqual([]);
  expect(sources.length, `at most ${budget.files} files`).toBeLessThanOrEqual(budget.files);
  expect(packages).toEqual(budget.packages);
  const { layers, builtins } = await bundleLoads(place, words, code);
  expect(layers).toEqual(budget.layers);
  const heavy = builtins.filter((name) => HEAVY_BUILTINS.includes(name));
  expect(heavy.filter((name) => !budget.builtins?.includes(name))).toEqual([]);
});
