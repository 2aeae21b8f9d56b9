import { expect, it } from 'vitest';
import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { loadsOf } from './loads.ts';

/**
 * What a command may load. The lists are complete: one package or one part of the sources more, and its start has
 * become slower for everybody. A new hot command gets a row here.
 */
interface Budget {
  readonly words: readonly string[];
  readonly code?: number;
  /** npm packages, by name. */
  readonly packages: readonly string[];
  /** Files or folders of src/. */
  readonly sources: readonly string[];
  /** Of the heavy parts of Node, the ones it needs. */
  readonly builtins?: readonly string[];
  /** Makes what the command needs; without it, an empty directory. */
  prepare?(): Sandbox;
}

const FRAME = ['main.ts', 'base', 'entry/cli'];
const CONFIG = ['config'];
/** What opening the app takes. */
const OPENED = [
  'compose.ts',
  'compose',
  'adapters/files',
  'adapters/system',
  'domain/approvals',
  'domain/knowledge-base/subject-files.ts',
  'domain/knowledge-base/walk-files.ts',
];

const KNOWLEDGE: Omit<Budget, 'words'> = {
  packages: ['smol-toml'],
  sources: [...FRAME, ...CONFIG, ...OPENED, 'domain/knowledge-base', 'domain/tools'],
  prepare: withSubject,
};

const BUDGETS: readonly Budget[] = [
  {
    words: ['--version'],
    packages: [],
    sources: ['main.ts', 'base/version.ts', 'entry/cli/guard-output.ts'],
  },
  { words: ['--help'], packages: [], sources: FRAME },
  { words: ['serch'], code: 2, packages: [], sources: FRAME },
  // What opens the app lies in one file with the configuration that it reads.
  {
    words: ['complete', '--', 'config', ''],
    packages: ['smol-toml'],
    sources: [...FRAME, ...CONFIG, ...OPENED],
  },
  {
    words: ['complete', '--line', 'ken config show '],
    packages: ['smol-toml'],
    sources: [...FRAME, ...CONFIG, ...OPENED],
  },
  {
    words: ['status'],
    packages: ['smol-toml'],
    sources: [...FRAME, ...CONFIG, ...OPENED, 'domain'],
    prepare: () => sandbox('[assistant]\nname = "ken"\n'),
  },
  { words: ['learn', 'project', 'tea'], ...KNOWLEDGE },
  { words: ['kb', 'ls'], ...KNOWLEDGE },
  {
    words: ['c', 'ls'],
    packages: ['smol-toml'],
    sources: [...FRAME, ...CONFIG, ...OPENED, 'domain/conversations', 'domain/labels'],
    prepare: withConversation,
  },
  {
    words: ['search', 'tea'],
    packages: ['smol-toml'],
    sources: [
      ...FRAME,
      ...CONFIG,
      ...OPENED,
      'adapters/sqlite',
      'adapters/embedders',
      'domain',
      'entry/ask-app.ts',
      'entry/searched-indexes.ts',
    ],
    builtins: ['node:sqlite'],
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
  const { packages, sources, builtins } = await loadsOf(prepare?.() ?? sandbox(), words, { code });
  const isAllowed = (file: string) =>
    budget.sources.some((part) => file === part || file.startsWith(`${part}/`));
  expect(sources).toContain('main.ts');
  expect(sources.filter((file) => !isAllowed(file))).toEqual([]);
  expect(packages).toEqual(budget.packages);
  expect(builtins.filter((name) => HEAVY_BUILTINS.includes(name))).toEqual(budget.builtins ?? []);
});
