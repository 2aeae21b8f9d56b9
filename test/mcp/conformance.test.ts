import path from 'node:path';
import { expect, it } from 'vitest';
import { writeOwnConfig } from '../cli/own-config.ts';
import { scaled } from '../scale.ts';
import { type Check, LEFT_OUT, runScenario, runSuite, suiteProblem } from './conformance.ts';
import { ERAS, ODD_SERVER, startHttp } from './connect.ts';
import { gardenWorkspace } from './garden.ts';

/** Scenarios of which every check passes. */
const PASSED: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    'completion-complete',
    'dns-rebinding-protection',
    'logging-set-level',
    'ping',
    'prompts-list',
    'resources-list',
    'resources-subscribe',
    'resources-unsubscribe',
    'server-initialize',
    'server-session-lifecycle',
    'server-sse-multiple-streams',
    'tools-list',
  ],
  '2026-07-28': [
    'caching',
    'completion-complete',
    'dns-rebinding-protection',
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

const isBad = ({ status }: Check) => !['SUCCESS', 'INFO', 'SKIPPED'].includes(status);

const problem = suiteProblem();
const isLong = scaled(1, 2) > 1;

it.skipIf(problem).each(ERAS)(
  `passes what the official suite checks of $revision without tools of its own${problem ? ` (${problem})` : ''}`,
  async ({ revision }) => {
    const place = gardenWorkspace();
    const checks = await runSuite(await startHttp(place), revision, path.join(place.home, 'results'));
    const scenarios = [...new Set(checks.map(({ scenario }) => scenario))].sort();
    expect(scenarios.filter((name) => !(name in LEFT_OUT))).toEqual(PASSED[revision]);
    // Exactly those that are on the list: one that passes has no place there.
    const failed = scenarios.filter((name) =>
      checks.some((check) => check.scenario === name && isBad(check)),
    );
    expect(failed).toEqual(scenarios.filter((name) => name in LEFT_OUT));
    // Whatever a scenario asked, what it got was made as the protocol wants it.
    const wire = checks.filter(({ id }) => id === 'wire-schema-valid');
    expect(wire.length).toBeGreaterThan(25);
    expect(wire.filter(isBad)).toEqual([]);
    // What fails of the ones that are left out fails for want of the suite's own tools.
    const stateless = checks.filter((check) => check.scenario === 'server-stateless' && isBad(check));
    // Tools of the suite would change the lists; changes.test.ts changes those of ken.
    const isForWantOfTools = ({ message }: Check) => /test_|Not testable|^Mutated the /.test(message);
    expect(stateless.filter((check) => !isForWantOfTools(check))).toEqual([]);
  },
);

it.skipIf(problem).each(ERAS)(
  `serves skills as the extension wants them: $revision${problem ? ` (${problem})` : ''}`,
  async ({ revision }) => {
    const place = gardenWorkspace();
    place.write('skills/pdf/scripts/run.py', 'print(1)\n');
    const server = await startHttp(place);
    for (const scenario of ['sep-2640-skills-enumeration', 'sep-2640-skills-manifest']) {
      const results = path.join(place.home, scenario);
      const checks = await runScenario(server, { scenario, revision }, results);
      expect(checks.length).toBeGreaterThan(5);
      // A skill is a subject, so it is not listed as a resource a second time.
      const isForListing = ({ message }: Check) =>
        /^Not testable: .* is not listed in resources/.test(message);
      expect(checks.filter((check) => isBad(check) && !isForListing(check))).toEqual([]);
    }
  },
);

/** The rest of their checks pass. */
const TASKS: Readonly<Record<string, readonly string[]>> = {
  'tasks-capability-negotiation': [],
  'tasks-wire-fields': [],
  // It calls confirm_delete, which asks the client while it runs; no tool of ken does.
  'tasks-dispatch-and-envelope': ['tasks-result-type-complete-on-non-task-responses'],
  ...(isLong && {
    // A bug in a tool is an error of that tool, with or without a task.
    'tasks-lifecycle': ['sep-2663-tasks-get-status-failed'],
    'tasks-request-state-removal': [],
    'tasks-request-headers': [],
  }),
};

it.skipIf(problem)(
  `makes tasks of slow calls as the extension wants them${problem ? ` (${problem})` : ''}`,
  async () => {
    const place = gardenWorkspace();
    writeOwnConfig(place.home, 'mcp.job_after_s = 1\n');
    const server = await startHttp(place, { program: ODD_SERVER, words: [] });
    const failed = Object.entries(TASKS).map(async ([scenario]) => {
      const results = path.join(place.home, scenario);
      const checks = await runScenario(server, { scenario, revision: '2026-07-28' }, results);
      expect(checks.length).toBeGreaterThan(2);
      return [scenario, checks.filter(isBad).map(({ id }) => id)];
    });
    expect(Object.fromEntries(await Promise.all(failed))).toEqual(TASKS);
  },
);
