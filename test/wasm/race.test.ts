/**
 * Another thread puts a link where a directory was, and back, while a guest opens files through it. The broker alone,
 * which is faster, is tried in broker-races.test.ts.
 */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { loadGuest } from './load-guest.ts';
import { openHost } from './open-host.ts';
import { probeHost } from './probe-host.ts';
import { swapWithLink } from './swap-with-link.ts';

const probe = probeHost();
const FEW = 3000;
const COUNT = scaled(1000, 20_000);
/** A busy machine takes up to ten milliseconds for one. */
const LONGEST_MS = 100_000 + COUNT * 20;

/** Answers the workspace, in which `place` is now a directory and now a link to a directory outside. */
function contestedWorkspace(): string {
  const base = temporaryDirectory();
  const workspace = path.join(base, 'workspace');
  mkdirSync(path.join(workspace, 'place'), { recursive: true });
  mkdirSync(path.join(base, 'outside'));
  writeFileSync(path.join(workspace, 'place/file.txt'), 'inside');
  writeFileSync(path.join(base, 'outside/file.txt'), 'SECRET');
  symlinkSync('../outside', path.join(workspace, 'link'));
  swapWithLink(workspace);
  return workspace;
}

const raceOf = (count: number) => ({ do: 'race', on: '/workspace', path: 'place/file.txt', count });

it(`never reads outside in ${COUNT} opens`, { timeout: LONGEST_MS }, async () => {
  const directories = [{ guestPath: '/workspace', hostPath: contestedWorkspace(), access: 'write' }] as const;
  const [gave] = await probe().gave([raceOf(COUNT)], { directories, timeoutMs: LONGEST_MS });
  expect(gave?.ok).toHaveProperty('inside');
  expect(gave?.ok).not.toHaveProperty('SECRET');
});

it('reads outside in a host that guards nothing', async () => {
  const component = await loadGuest(probe().file);
  const granted = { guestPath: '/workspace', hostPath: contestedWorkspace(), access: 'write' } as const;
  const { run } = component.instantiate(openHost([granted]));
  const outcome = run(
    { root: '/workspace', action: 'run' },
    'probe',
    JSON.stringify({ steps: [raceOf(FEW)] }),
    '{}',
  );
  const [gave] = outcome.tag === 'success' ? JSON.parse(outcome.val).gave : [];
  expect(gave?.ok).toHaveProperty('SECRET');
});
