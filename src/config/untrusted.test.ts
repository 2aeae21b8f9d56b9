import { describe, expect, it } from 'vitest';
import type { Json } from '../base/json.ts';
import type { LayerStanding } from './authority.ts';
import { formatKeyPath, type KeyPath, parseKeyPath } from './key-path.ts';
import { resolveConfig } from './resolve.ts';
import { isPlainPath } from './schema/effects.ts';
import type { Effect, Node } from './schema/node.ts';
import { SCHEMA } from './schema.ts';
import { nested, valueAt } from './tree.ts';

type Declared = Effect | 'by value';

/** Every key that holds a value of its own, with what setting it can do; `NAME` stands for the name of an entry. */
function keysOf(
  node: Node,
  path: KeyPath,
  inherited?: Declared,
): { key: string; effect: Declared | undefined }[] {
  const effect = typeof node.effect === 'function' ? 'by value' : (node.effect ?? inherited);
  const below = (child: Node, name: string) => keysOf(child, [...path, name], effect);
  if (node.kind === 'table')
    return Object.entries(node.fields).flatMap(([name, child]) => below(child, name));
  if (node.kind === 'map' && node.effect === undefined && typeof node.value.effect !== 'function')
    return below(node.value, 'NAME');
  if (node.kind === 'list' && node.item.effect) return keysOf(node.item, path, effect);
  const own = node.kind === 'map' && typeof node.value.effect === 'function' ? 'by value' : effect;
  return [{ key: formatKeyPath(path), effect: own }];
}

it('every key declares what setting it can do', () => {
  const declared = keysOf(SCHEMA, []);
  expect(Object.groupBy(declared, ({ effect }) => effect ?? 'NOTHING').NOTHING).toBeUndefined();
  const byEffect = Object.groupBy(declared, ({ effect }) => effect ?? 'harmless');
  const harmless = (byEffect.harmless ?? []).map(({ key }) => key);
  expect(harmless).toEqual([
    'extends',
    ...['description', 'gitignore', 'learned', 'disabled'].map((name) => `kb.topic.NAME.${name}`),
    'references.exclude',
    'references.scope',
    'search.weights.lexical',
    'search.weights.dense',
    'knowledge.ephemeral_days',
    'knowledge.decay_days',
    'backup.keep',
    'mcp.job_after_s',
    'web.port',
    'team.search',
    'style.color',
    'style.markdown',
    'style.code',
    'style.pager',
  ]);
});

async function takenFrom(standing: LayerStanding, key: string, value: Json, below?: Json) {
  const path = parseKeyPath(key);
  const change = (set: Json) => ({ op: 'merge' as const, path: [], value: nested(path, set) });
  const layer = (who: LayerStanding, set: Json) => ({
    origin: { kind: 'file' as const, name: who },
    standing: who,
    changes: [change(set)],
  });
  const owner =
    key.startsWith('approvals') || key === 'net.allow' || key === 'mcp.trusted_clients'
      ? 'authority'
      : 'user';
  const layers = [...(below === undefined ? [] : [layer(owner, below)]), layer(standing, value)];
  const { config, omissions, problems } = await resolveConfig(layers, async () => false);
  const needs = [...omissions.map(({ need }) => need), ...problems.map(({ code }) => code)];
  return { value: valueAt(config as Json, path), needs };
}

/** Each widening value of every key that is not harmless. */
const WIDENING: readonly (readonly [key: string, value: Json])[] = [
  ['config_load_paths', ['../elsewhere']],
  ['config_load_paths', ['.git']],
  ['kb.topic.x.subjects', '.git'],
  ['kb.topic.x.subjects', 'docs/.private'],
  ['kb.topic.x.title', 'x'.repeat(201)],
  ['kb.topic.x.introduction', 'x'.repeat(201)],
  ['kb.topic.x.follow_symlinks', true],
  ['kb.personal', true],
  ['kb.max_subject_bytes', 9e15],
  ['assistant.name', 'ken\nasked by root'],
  ['assistant.model', 'openai/gpt'],
  ['assistant.system_prompt', 'Obey.'],
  ['assistant.turn_limit', 1_000_000],
  ['assistant.instructions', ['Obey.']],
  ['assistant.sections', [{ content: 'Obey.' }]],
  ['assistant.request.max_retries', 1000],
  ['assistant.request.idle_timeout_s', 1000],
  ['providers.llm.x', { base_url: 'http://evil' }],
  ['providers.mcp.x', { command: 'evil' }],
  ['conversation.labels.x', { value: { cmd: 'evil' } }],
  ['conversation.tools.x', { source: 'local', command: 'evil' }],
  ['conversation.expose_to_tools', ['branch']],
  ['conversation.attachments', ['.env']],
  ['conversation.attachments', ['.git/config']],
  ['conversation.attachments', ['{.env,x}']],
  ['conversation.attachments', ['[.]env']],
  ['conversation.attachments', ['/etc/passwd']],
  ['conversation.attachments', ['../x']],
  ['conversation.attachments', ['a/../../x']],
  ['conversation.attachments', ['http://evil']],
  ['conversation.attachments', ['cmd:evil']],
  ['conversation.attachments', ['ftp://evil']],
  ['assistant.confirm_tokens', 9e9],
  ['conversation.share', true],
  ['conversation.title.generate', true],
  ['tools.builtin_runtime', 'native'],
  ['tools.wasm.memory_mib', 4096],
  ['tools.wasm.timeout_s', 4096],
  ['tools.wasm.output_bytes', 9e9],
  ['references.root', '/'],
  ['team.url', 'postgres://evil/x'],
  ['team.name', 'others'],
  ['team.listen_url', 'postgres://evil/x'],
  ['serve.public_url', 'https://evil.example'],
  ['serve.issuer', 'https://evil.example'],
  ['serve.client_id', 'x'],
  ['serve.claim', 'email'],
  ['team.workspace', 'others'],
  ['references.max_file_bytes', 9e9],
  ['references.max_files', 9e9],
  ['references.max_bytes', 9e12],
  ['references.timeout_s', 9e9],
  ['references.prompt_topics', 1000],
  ['references.refresh', 'daily'],
  ['net.allow', ['localhost']],
  ['net.timeout_s', 1000],
  ['net.max_bytes', 9e12],
  ['net.max_redirects', 1000],
  ['search.embedder', 'openai/emb'],
  ['search.embedder_url', 'http://evil'],
  ['knowledge.rules_tokens', 9999],
  ['knowledge.share', 'git'],
  ['approvals.noninteractive', 'allow'],
  ['approvals.expires_hours', 9999],
  ['mcp.trusted_clients', ['evil']],
  ['hooks.import', true],
  ['editor', 'evil'],
];

describe('a workspace that is not trusted', () => {
  it.each(WIDENING)('cannot set %s to %j', async (key, value) => {
    const standard = await takenFrom('user', 'style.color', 'auto');
    expect(standard.needs).toEqual([]);
    const taken = await takenFrom('workspace', key, value);
    expect(taken.needs).not.toEqual([]);
    expect(JSON.stringify(taken.value) ?? '').not.toContain(JSON.stringify(value).replace(/^\[|\]$/g, ''));
  });

  it('has a widening value here for every key that is not harmless', () => {
    const tried = new Set(WIDENING.map(([key]) => key.replace(/\.x(?=\.|$)/, '.NAME')));
    const always = new Set(['kb.topic.NAME.enable', 'kb.preload_budget_tokens', 'conversation.start_local']);
    const loosened = new Set(['assistant.request.max_output_tokens']);
    const missing = keysOf(SCHEMA, []).filter(({ key, effect }) => {
      const known = [key, key.replace(/\.NAME\..*/, '.NAME'), `${key}.NAME`];
      return (
        effect !== 'harmless' &&
        !always.has(key) &&
        !loosened.has(key) &&
        !known.some((name) => tried.has(name))
      );
    });
    expect(missing).toEqual([]);
  });

  it.each<[string, Json, Json]>([
    ['assistant.turn_limit', 10, 5],
    ['assistant.request.max_output_tokens', 2000, 1000],
    ['assistant.request.max_retries', 5, 0],
    ['kb.preload_budget_tokens', 0, 100],
    ['kb.topic.x', { subjects: 'x', enable: true }, { subjects: 'x', enable: false }],
    ['conversation.start_local', false, true],
  ])('cannot loosen %s to %j where you chose %j', async (key, value, chosen) => {
    const taken = await takenFrom('workspace', key, value, chosen);
    expect(taken.needs).toEqual(['limit']);
    expect(taken.value).toMatchObject(Object(chosen));
  });

  it.each<[string, Json, Json | undefined]>([
    ['assistant.model', 'ken/extractive', 'openai/gpt'],
    ['search.embedder', 'builtin', 'openai/emb'],
    ['assistant.turn_limit', 3, undefined],
    ['assistant.request.max_output_tokens', 100, undefined],
    ['kb.preload_budget_tokens', 100, undefined],
    ['tools.builtin_runtime', 'wasm', 'native'],
    ['conversation.start_local', true, undefined],
    ['conversation.title.generate', false, true],
    ['conversation.attachments', ['README.md', 'docs/', 'docs/*.md', './notes.txt'], undefined],
    ['conversation.labels.x', 'text', undefined],
    ['assistant.name', 'ada', undefined],
  ])('may narrow %s to %j', async (key, value, chosen) => {
    expect(await takenFrom('workspace', key, value, chosen)).toEqual({ value, needs: [] });
  });
});

it('a topic may bring a title and an introduction of 200 characters', async () => {
  const topic = { subjects: 'x', title: 'x'.repeat(200), introduction: 'y'.repeat(200) };
  const taken = await takenFrom('workspace', 'kb.topic.x', topic);
  expect(taken).toEqual({ value: expect.objectContaining(topic), needs: [] });
});

it('leaves a topic out whose directory is refused, and nothing breaks', async () => {
  const value = { kb: { topic: { x: { subjects: '.git', title: 'X' }, y: { subjects: 'y' } } } };
  const layer = {
    origin: { kind: 'file' as const, name: 'w' },
    standing: 'workspace' as const,
    changes: [{ op: 'merge' as const, path: [], value }],
  };
  const { config, problems, omissions } = await resolveConfig([layer], async () => false);
  expect({ topics: Object.keys(config.kb.topic), problems }).toEqual({ topics: ['y'], problems: [] });
  expect(omissions).toMatchObject([
    { path: ['kb', 'topic', 'x', 'subjects'], need: 'trusted', effect: 'reads' },
  ]);
});

it('the files of one workspace may correct each other', async () => {
  const layer = (limit: number) => ({
    origin: { kind: 'file' as const, name: String(limit) },
    standing: 'workspace' as const,
    changes: [{ op: 'merge' as const, path: [], value: { assistant: { turn_limit: limit } } }],
  });
  const { config, omissions } = await resolveConfig([layer(3), layer(20)], async () => false);
  expect({ limit: config.assistant.turn_limit, omissions }).toEqual({ limit: 20, omissions: [] });
});

it('a file of others is believed about nothing that widens', async () => {
  for (const [key, value] of WIDENING) {
    const { needs } = await takenFrom('foreign', key, value);
    expect({ key, needs: needs.filter((need) => need !== 'owned' && need !== 'limit') }).toEqual({
      key,
      needs: [],
    });
    expect(needs.length).toBeGreaterThan(0);
  }
});

it.each(['a', 'a/b.md', 'a/*.md', '**/*.md', '.', './a', '.ken/kb/project', 'a/', 'Ünïcode/x y.md'])(
  '%j is plain',
  (path) => {
    expect(isPlainPath(path)).toBe(true);
  },
);

it.each([
  '',
  '.env',
  'a/.env',
  '..',
  'a/../b',
  '/a',
  '.ken/knowledge',
  '.ken',
  '?env',
  '[.]env',
  '{.env,a}',
  'a{/.env,b}',
  '@(.env)',
  'a\\..',
  'a//b',
  './.env',
  '.ken/kb/../config.toml',
])('%j is not plain', (path) => {
  expect(isPlainPath(path)).toBe(false);
});
