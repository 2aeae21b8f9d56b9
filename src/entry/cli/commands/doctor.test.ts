import { expect, it } from 'vitest';
import type { App } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import { type Check, type CheckContext, ok, type RunCheck } from '../checks/check.ts';
import { runChecks } from './doctor.ts';

/** The runner hands the app on and looks only at its workspace. */
const outside = { workspace: undefined } as App;
const inside = { workspace: { root: '/w', home: '/w/.ken' } } as App;
const never = new AbortController().signal;

function check(id: string, run: RunCheck, needs?: Check['needs']): Check {
  return { id, title: id, run, ...(needs && { needs }) };
}

async function findings(checks: readonly Check[], context: Partial<CheckContext> = {}, timeoutMs = 10_000) {
  const whole = { app: outside, environment: {}, configFault: undefined, usesNetwork: false, ...context };
  const reports = await Promise.all(runChecks(checks, whole, { signal: never, timeoutMs }));
  return reports.map(({ check: { id }, finding }) => ({ id, ...finding }));
}

it('lets no check spoil the others', async () => {
  const checks = [
    check('fault', () =>
      Promise.reject(new Fault('files/unreadable', 'Cannot read a.', { hint: 'Dry it.' })),
    ),
    check('bug', () => Promise.reject(new TypeError('undefined is not it'))),
    { id: 'missing', title: 'missing', run: () => Promise.reject(new Error('no such file')) },
    check('hangs', () => new Promise(() => {})),
    check('fine', async () => ok('all good')),
  ];
  expect(await findings(checks, {}, 50)).toEqual([
    { id: 'fault', status: 'problem', message: 'Cannot read a', hint: 'Dry it.' },
    {
      id: 'bug',
      status: 'problem',
      message: 'the check itself failed: undefined is not it',
      hint: 'This is a bug in ken; please report it.',
    },
    {
      id: 'missing',
      status: 'problem',
      message: 'the check itself failed: no such file',
      hint: 'This is a bug in ken; please report it.',
    },
    { id: 'hangs', status: 'problem', message: 'There was no answer within 0.05 s', hint: 'Try again.' },
    { id: 'fine', status: 'ok', message: 'all good' },
  ]);
});

it('skips what needs something that is not there', async () => {
  const all = [
    check('bare', async () => ok('ran')),
    check('config', async () => ok('ran'), 'config'),
    check('workspace', async () => ok('ran'), 'workspace'),
  ];
  const statuses = async (context: Partial<CheckContext>) =>
    (await findings(all, context)).map(({ status }) => status);
  const configFault = new Fault('config/invalid', 'No.');
  expect(await statuses({ app: inside })).toEqual(['ok', 'ok', 'ok']);
  expect(await statuses({ app: outside })).toEqual(['ok', 'ok', 'skipped']);
  expect(await statuses({ app: inside, configFault })).toEqual(['ok', 'skipped', 'skipped']);
});
