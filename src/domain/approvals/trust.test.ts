import { expect, it } from 'vitest';
import { systemHasher } from '../../adapters/system/primitives.ts';
import type { DefinitionSource } from '../../base/approvals.ts';
import { type TrustRecord, trustDigest, trustState } from './trust.ts';
import { definitionLines, formatDefinitionLine } from './trust-difference.ts';

const git = { key: 'providers.mcp.git', value: '{"command":"git-mcp"}' };
const host = { key: 'conversation.labels.host', value: '{"value":{"cmd":"hostname"}}' };
const lint = { key: 'conversation.tools.lint', value: '{"command":"lint"}' };

function source(file: string, ...definitions: DefinitionSource['definitions']): DefinitionSource {
  return { file, isAlwaysRead: true, definitions };
}

const config = source('.ken/config.toml', git, host);
const local = source('.ken/config.local.toml', lint);
const named = { ...source('.ken/config.d/ci.toml', lint), isAlwaysRead: false };

function trusting(...sources: readonly DefinitionSource[]): TrustRecord {
  const digest = trustDigest(systemHasher, sources);
  return { workspace: '/w', sources, digest, decision: { by: 'ada', at: 1, through: 'terminal' } };
}

it.each<[string, TrustRecord | undefined, readonly DefinitionSource[], string]>([
  ['nothing defined', undefined, [source('.ken/config.toml')], 'nothing'],
  ['nothing left of what was trusted', trusting(config), [], 'nothing'],
  ['never trusted', undefined, [config], 'untrusted'],
  ['as trusted', trusting(config, local), [config, local], 'trusted'],
  ['a file without definitions more', trusting(config), [source('x.toml'), config], 'trusted'],
  ['a named file that is not named', trusting(config, named), [config], 'trusted'],
  ['a named file that is named', trusting(config, named), [config, named], 'trusted'],
  ['a definition more', trusting(source(config.file, git)), [config], 'changed'],
  ['a definition less', trusting(config), [source(config.file, git)], 'changed'],
  ['another order', trusting(config), [source(config.file, host, git)], 'changed'],
  ['another value', trusting(config), [source(config.file, { ...git, value: '{}' }, host)], 'changed'],
  ['a file more', trusting(config), [config, local], 'changed'],
  ['a file less', trusting(config, local), [config], 'changed'],
  ['files in another order', trusting(config, local), [local, config], 'changed'],
  ['the same in another file', trusting(config), [source('.ken/other.toml', git, host)], 'changed'],
  ['a changed named file', trusting(config, named), [config, { ...named, definitions: [git] }], 'changed'],
  ['only a named file, the others gone', trusting(config, named), [named], 'changed'],
])('takes %s for %s', (_, record, read, state) => {
  expect(trustState(record, read)).toBe(state);
});

it('digests every part', () => {
  const digests = [
    [],
    [config],
    [config, local],
    [local, config],
    [{ ...config, isAlwaysRead: false }],
    [source(config.file, host, git)],
    [source(config.file, { key: 'providers.mcp.gi', value: 't{"command":"git-mcp"}' }, host)],
    [source(config.file, git), source(config.file, host)],
  ].map((sources) => trustDigest(systemHasher, sources));
  expect(new Set(digests).size).toBe(digests.length);
  expect(trustDigest(systemHasher, [source('a', git)])).toBe(
    systemHasher.sha256(
      '["ken-trust-1",[["a",true,[["providers.mcp.git","{\\"command\\":\\"git-mcp\\"}"]]]]]',
    ),
  );
});

it('shows what differs, and what does not', () => {
  const before = [source(config.file, git, host), local];
  const after = [
    source(config.file, { ...git, value: '{"command":"evil"}' }, host),
    source('new.toml', { ...lint, value: '{"command":["lint","-"],"run":"ask"}' }),
  ];
  expect(definitionLines(before, after).map(formatDefinitionLine)).toEqual([
    '- .ken/config.toml: providers.mcp.git = {"command":"git-mcp"}\n+ .ken/config.toml: providers.mcp.git = {"command":"evil"}',
    '  .ken/config.toml: conversation.labels.host = {"value":{"cmd":"hostname"}}',
    '+ new.toml: conversation.tools.lint\n+   command:\n+     - "lint"\n+     - "-"\n+   run: "ask"',
    '- .ken/config.local.toml: conversation.tools.lint = {"command":"lint"}',
  ]);
});
