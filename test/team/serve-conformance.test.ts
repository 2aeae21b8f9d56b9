/** The official conformance suite against `ken serve`, a resource server whose processes answer in turn. */

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { adding } from '../../src/domain/ledger/store.contract.ts';
import { type Check, runSuite, SUITE, suiteProblem } from '../mcp/conformance.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { postgresProblem } from './postgres.ts';
import { roundRobin, servedTeam } from './serving.ts';

/** Others need tools of the suite, or sessions, which these processes do not keep. */
const PASSED: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    'completion-complete',
    'logging-set-level',
    'ping',
    'prompts-list',
    'resources-list',
    'resources-subscribe',
    'resources-unsubscribe',
    'server-initialize',
    'server-session-lifecycle',
    'tools-list',
  ],
  '2026-07-28': [
    'caching',
    'completion-complete',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'prompts-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'tasks-status-notifications',
    'tools-list',
  ],
};

const problem = suiteProblem() ?? postgresProblem();
const isBad = ({ status }: Check) => !['SUCCESS', 'INFO', 'SKIPPED'].includes(status);

it.skipIf(problem)('has no scenario about the authorization of a server', () => {
  const list = execFileSync(process.execPath, [SUITE, 'list'], { encoding: 'utf8' });
  const [, servers = '', clients = ''] =
    /^Server scenarios([\s\S]*)^Client scenarios([\s\S]*)/m.exec(list) ?? [];
  const aboutTokens = /^ +- (\S*(?:auth|token|oauth|bearer|scope)\S*)/gim;
  expect([...servers.matchAll(aboutTokens)].map(([, name]) => name)).toEqual([]);
  expect([...clients.matchAll(aboutTokens)].length).toBeGreaterThan(20);
});

it.skipIf(problem).each(Object.keys(PASSED))(
  'passes with a token what needs neither tools of the suite nor sessions: %s',
  async (revision) => {
    const team = await servedTeam({ processes: 2 });
    await team.member('ada', 'garden', 'read', 'propose', 'write');
    await team.ledger('garden').add(adding('one', 10));
    await team.subjects('garden', 'project', { 'deploy.md': '# Deploy\n\nPush the green button.\n' });
    const { secret: token } = await team.token('ada', ['read', 'propose', 'write']);
    const results = path.join(temporaryDirectory(), 'results');
    mkdirSync(results);
    const server = { url: `${await roundRobin(team.servers)}/mcp`, token };
    const checks = await runSuite(server, revision, results);
    const failed = new Set(checks.filter(isBad).map(({ scenario }) => scenario));
    const scenarios = [...new Set(checks.map(({ scenario }) => scenario))].sort();
    expect(scenarios.filter((name) => !failed.has(name))).toEqual(PASSED[revision]);
    const wire = checks.filter(({ id }) => id === 'wire-schema-valid');
    expect(wire.length).toBeGreaterThan(20);
    expect(wire.filter(isBad)).toEqual([]);
  },
);
