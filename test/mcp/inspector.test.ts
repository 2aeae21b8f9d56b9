import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { ERAS, LAUNCHER, serverEnvironment } from './connect.ts';
import { gardenWorkspace } from './garden.ts';

const root = path.join(import.meta.dirname, '../..');
/** It brings a hundred packages along, so it is installed beside ken by who wants to know. */
const inspector = path.join(
  process.env.KEN_TEST_INSPECTOR ?? root,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const problem = existsSync(inspector)
  ? undefined
  : 'there is no @modelcontextprotocol/inspector in KEN_TEST_INSPECTOR';
const why = problem ? ` (${problem})` : '';

function inspected(place: Sandbox, era: string, server: readonly string[], words: readonly string[]) {
  const given = ['--cli', process.execPath, ...server, '--protocol-era', era, ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, [inspector, ...given], {
    cwd: place.root,
    env: { ...serverEnvironment(place), HOME: place.home },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it.skipIf(problem).each(ERAS)(
  `passes the strict check of schemas by the inspector: $revision${why}`,
  ({ revision }) => {
    const era = revision === '2026-07-28' ? 'modern' : 'legacy';
    const words = ['--method', 'tools/list', '--strict'];
    const { status, stdout, stderr } = inspected(gardenWorkspace(), era, [LAUNCHER, 'mcp'], words);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout).tools).toHaveLength(10);
  },
);

it.skipIf(problem)(`is asked 500 times, eight at a time, by the inspector${why}`, () => {
  const words = ['--method', 'tools/call', '--tool-name', 'learn', '--tool-arg', 'topic=project'];
  const load = ['--load', '--load-requests', '500', '--load-concurrency', '8'];
  const { status, stdout } = inspected(gardenWorkspace(), 'legacy', [LAUNCHER, 'mcp'], [...words, ...load]);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ requests: 500, ok: 500, toolErrors: 0, errors: 0 });
});
