/** A guest that tries to get out: of its directories, into what is protected, past its limits. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { GrantedDirectory } from '../../src/domain/tools/component-host.ts';
import { callInProcess, gaveOf, loadGuest } from '../wasm/load-guest.ts';
import { openHost } from '../wasm/open-host.ts';
import { type Gave, probeHost, type Step } from '../wasm/probe-host.ts';
import { ESCAPES, type EscapeCase } from './escape-cases.ts';
import { type EscapeWorld, escapeWorld, protectedSnapshot, SECRET, snapshot } from './escape-world.ts';

const probe = probeHost();

it('is tried in more than sixty ways, each with a name of its own', () => {
  expect(new Set(ESCAPES.map(({ name }) => name)).size).toBe(ESCAPES.length);
  expect(ESCAPES.length).toBeGreaterThanOrEqual(60);
});

it.each(ESCAPES)('does no harm in the sandbox: $name', async (attempt) => {
  expect(await harm(attempt, (steps, directories) => probe().gave(steps, { directories }))).toBe(false);
});

it.each(ESCAPES)('does no harm where descriptors cannot be used as paths: $name', async (attempt) => {
  const component = await loadGuest(probe().file);
  const done = await harm(attempt, async (steps, directories) =>
    callInProcess(component, { steps, directories, anchoring: 'path' }),
  );
  expect(done).toBe(false);
});

it.each(ESCAPES)('does harm in a host that guards nothing: $name', async (attempt) => {
  const component = await loadGuest(probe().file);
  const done = await harm(attempt, async (steps, directories) => {
    const { run } = component.instantiate(openHost(directories));
    return gaveOf(run({ root: '/workspace', action: 'run' }, 'probe', JSON.stringify({ steps }), '{}'));
  });
  expect(done).toBe(true);
});

/** All attempts share it, and so one process for guests, which takes longer to start than an attempt. */
const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'ken-escapes-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

type RunSteps = (steps: Step[], directories: readonly GrantedDirectory[]) => Promise<Gave[]>;

async function harm(attempt: EscapeCase, run: RunSteps): Promise<boolean> {
  const world = escapeWorld(base);
  attempt.prepare?.(world);
  const workspace: GrantedDirectory = {
    guestPath: '/workspace',
    hostPath: world.workspace,
    access: attempt.access ?? 'write',
  };
  const other: GrantedDirectory = { guestPath: '/other', hostPath: world.outside, access: 'read' };
  const granted = [attempt.grant?.(world) ?? workspace, ...(attempt.readsOther ? [other] : [])];
  const before = { outside: snapshot(world.outside), ...insideOf(world) };
  const gave = await run(attempt.steps(world), granted);
  const after = { outside: snapshot(world.outside), ...insideOf(world) };
  if (typeof attempt.harm === 'function') return attempt.harm(gave, world);
  if (attempt.harm === 'reads-outside') return TELLTALE.test(JSON.stringify(gave));
  const place = PLACES[attempt.harm];
  return before[place] !== after[place];
}

const PLACES = {
  'changes-outside': 'outside',
  'changes-workspace': 'workspace',
  'changes-protected': 'protected',
} as const;

function insideOf(world: EscapeWorld) {
  return { workspace: snapshot(world.workspace), protected: protectedSnapshot(world) };
}

/** The secret, a name beside it, or its size. */
const TELLTALE = new RegExp(`${SECRET}|outside-marker|regular-file ${SECRET.length}\\b`);
