import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/temporary-directory.ts';
import { configFiles } from '../adapters/files/config-files.ts';
import type { DefinitionSource } from '../base/approvals.ts';
import { definitionSources, everyDefinitionSource } from './definition-sources.ts';
import { loadLayers } from './load.ts';

type Files = Readonly<Record<string, string>>;

function workspaceWith(files: Files, loadPaths: readonly string[] = ['config.d']) {
  const directory = temporaryDirectory();
  const root = path.join(directory, 'work');
  for (const [name, text] of Object.entries({ 'work/.ken/.gitignore': '', ...files })) {
    const file = path.join(directory, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const request = {
    userDirectory: path.join(directory, 'user'),
    authorityFile: path.join(directory, 'authority.toml'),
    workspace: { root, home: path.join(root, '.ken') },
    environment: {},
    conversation: [],
    assignments: [] as readonly string[],
    directory: root,
    flags: () => [],
    loadPaths,
  };
  const reader = {
    root,
    digestOf: async (file: string) => `digest of ${file}`,
    accessInWords: async () => 'It may read docs.',
  };
  return {
    read: async (...assignments: readonly string[]) =>
      definitionSources(reader, (await loadLayers(configFiles, { ...request, assignments })).layers),
    all: async (...assignments: readonly string[]) =>
      everyDefinitionSource(reader, configFiles, { ...request, assignments }),
  };
}

const keys = (sources: readonly DefinitionSource[]) =>
  sources.map(({ file, definitions }) => [file, ...definitions.map(({ key }) => key)]);

it('finds all that can execute or leak, and nothing else', async () => {
  const words = 'It runs programs or reaches the net.';
  const { read } = workspaceWith({
    'work/.ken/config.toml': `
      assistant.name = "ada"
      tools.wasm.timeout_s = 600
      [kb.topic.tea]
      subjects = "tea"
      [providers.mcp.git]
      command = "git-mcp"
      [conversation]
      attachments = ["README.md", "cmd:date", " HTTPS://example.com/", "docs/"]
      [conversation.labels]
      team = "infra"
      host = { value = { cmd = "hostname" } }
      [conversation.tools.lint]
      source = "local"
      wasm = ".ken/tools/lint.wasm"
      [conversation.tools.'*']
      run = "unattended"
    `,
  });
  expect(await read()).toEqual([
    {
      file: '.ken/config.toml',
      isAlwaysRead: true,
      definitions: [
        { key: 'providers.mcp.git', value: '{"command":"git-mcp"}', words },
        { key: 'conversation.attachments.1', value: '"cmd:date"', words },
        { key: 'conversation.attachments.2', value: '" HTTPS://example.com/"', words },
        { key: 'conversation.labels.host', value: '{"value":{"cmd":"hostname"}}', words },
        {
          key: 'conversation.tools.lint',
          value: '{"source":"local","wasm":".ken/tools/lint.wasm"}',
          words: 'It may read docs.',
        },
        {
          kind: 'component',
          path: '.ken/tools/lint.wasm',
          sha256: 'digest of .ken/tools/lint.wasm',
          key: 'sha-256 of .ken/tools/lint.wasm',
          value: '"digest of .ken/tools/lint.wasm"',
        },
        { key: 'conversation.tools.*', value: '{"run":"unattended"}', words },
      ],
    },
  ]);
});

it('looks inside a map that says how it merges', async () => {
  const { read } = workspaceWith({
    'work/.ken/config.toml': `
      [conversation.labels]
      strategy = "replace"
      value = { host = { value = { cmd = "hostname" } }, team = "infra" }
    `,
  });
  expect(await read()).toMatchObject([
    { definitions: [{ key: 'conversation.labels.host', value: '{"value":{"cmd":"hostname"}}' }] },
  ]);
});

const mcp = (name: string) => `[providers.mcp.${name}]\ncommand = "${name}"\n`;

it('looks for named files inside the workspace only', async () => {
  const { all } = workspaceWith(
    { 'outside/broken.toml': 'not = [ TOML', 'work/.ken/config.d/ci.toml': mcp('ci') },
    ['config.d', '../../outside'],
  );
  expect(keys(await all())).toEqual([['.ken/config.d/ci.toml', 'providers.mcp.ci']]);
});

it('reads every file of the workspace in the order of their layers, and no other', async () => {
  const { read, all } = workspaceWith({
    'user/config.toml': mcp('mine'),
    'user/config.d/ci.toml': mcp('mine-too'),
    'elsewhere.toml': mcp('typed'),
    'work/.ken/config.toml': `extends = ["parts/*.toml"]\n${mcp('own')}`,
    'work/.ken/parts/b.toml': mcp('b'),
    'work/.ken/parts/a.toml': mcp('a'),
    'work/.ken/parts/none.toml': 'assistant.name = "x"',
    'work/.ken/config.local.toml': mcp('local'),
    'work/.ken/config.d/ci.toml': mcp('ci'),
    'work/.ken/config.d/other.toml': mcp('other'),
    'work/deep/inside.toml': mcp('inside'),
  });
  const always = [
    ['.ken/parts/a.toml', 'providers.mcp.a'],
    ['.ken/parts/b.toml', 'providers.mcp.b'],
    ['.ken/config.toml', 'providers.mcp.own'],
    ['.ken/config.local.toml', 'providers.mcp.local'],
  ];
  const ci = ['.ken/config.d/ci.toml', 'providers.mcp.ci'];
  const other = ['.ken/config.d/other.toml', 'providers.mcp.other'];
  const inside = ['deep/inside.toml', 'providers.mcp.inside'];
  expect(keys(await read())).toEqual(always);
  expect(keys(await read('ci'))).toEqual([...always, ci]);
  expect(keys(await read('@../elsewhere.toml', '@deep/inside.toml', 'ci', 'ci'))).toEqual([
    ...always,
    inside,
    ci,
  ]);
  expect(keys(await all())).toEqual([...always, ci, other]);
  expect((await all()).map(({ isAlwaysRead }) => isAlwaysRead)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(keys(await all('@deep/inside.toml'))).toEqual([...always, ci, other, inside]);
});
