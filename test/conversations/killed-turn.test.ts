import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { ConversationEvent } from '../../src/domain/conversations/event.ts';
import { LAUNCHER as launcher } from '../cli/launcher.ts';
import { type Asking, asking, newestEvents } from '../recorded/asking.ts';
import type { Answer } from '../recorded/replay-server.ts';
import { scaled } from '../scale.ts';
import { seededRandom } from '../seeded-random.ts';

const CONFIG = 'tools.builtin_runtime = "native"\n[kb.topic.project]\nsubjects = "kb"\n';
const STEPS = 3;

function sse(...chunks: readonly object[]): string {
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
}

const LEARN = { name: 'learn', arguments: '{"topic":"project","subjects":["deploy"]}' };
const MARK = { name: 'mark', arguments: '{}' };

function stepOf(body: string): number {
  const { messages } = JSON.parse(body) as { messages: { role: string; tool_calls?: unknown }[] };
  return messages.filter((message) => message.role === 'assistant' && message.tool_calls).length;
}

/** Calls two tools at each of three steps, then answers; which step it is, is seen from the request. */
function answerFor(body: string, called = LEARN): Answer {
  const step = stepOf(body);
  if (step >= STEPS) {
    return {
      body: sse(
        { choices: [{ index: 0, delta: { content: 'Done.' }, finish_reason: null }] },
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      ),
    };
  }
  const calls = ['a', 'b'].map((name, index) => ({
    index,
    id: `${step}${name}${Math.random().toString(36).slice(2)}`,
    type: 'function',
    function: called,
  }));
  return {
    body: sse(
      { choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ),
  };
}

function environmentOf(box: Asking) {
  return {
    PATH: process.env.PATH ?? '',
    HOME: box.home,
    KEN_HOME: box.home,
    KEN_TERMINAL: 'test',
    TEST_KEY: 'secret',
  };
}

function startKen(box: Asking): ChildProcess {
  const words = [launcher, 'q', '-n', 'Go.'];
  return spawn(process.execPath, words, { cwd: box.root, env: environmentOf(box), stdio: 'ignore' });
}

/** Answers how long it ran, and whether it came to its end. */
async function runFor(box: Asking, milliseconds: number): Promise<{ took: number; ended: boolean }> {
  const started = performance.now();
  const child = startKen(box);
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
  clearTimeout(timer);
  return { took: performance.now() - started, ended: code === 0 };
}

function checkWhole(events: readonly ConversationEvent[]): void {
  const of = (type: ConversationEvent['type']) => events.filter((event) => event.type === type);
  expect(of('turn_start')).toHaveLength(1);
  expect(of('user_message')).toHaveLength(1);
  const calls = of('tool_call').map((event) => (event.type === 'tool_call' ? event.id : ''));
  const results = of('tool_result').map((event) => (event.type === 'tool_result' ? event.id : ''));
  expect(new Set(calls).size).toBe(calls.length);
  expect(results.toSorted()).toEqual(calls.toSorted());
  expect(events.findLast(({ type }) => type === 'assistant_message')).toMatchObject({
    text: 'Done.',
    finish: 'stop',
  });
}

interface Kill {
  readonly step: number;
  readonly where: 'as it is asked' | 'in the middle of its reply' | 'while a tool runs';
}

const KILLS: readonly Kill[] = Array.from({ length: STEPS + 1 }, (_, step) => step).flatMap((step) => [
  { step, where: 'as it is asked' },
  { step, where: 'in the middle of its reply' },
  ...(step < STEPS ? [{ step, where: 'while a tool runs' } as const] : []),
]);

/** The tool that is called at each step ends ken, once, when this file is there. */
const DEADLY = [
  '[conversation.tools.mark]',
  'source = "local"',
  'run = "unattended"',
  'command = { program = "if [ -e deadly ]; then rm deadly; kill -9 $PPID; fi; echo fine", shell = true }',
  '',
].join('\n');

it.each(KILLS)('step $step, killed $where, goes on where it was', async ({ step, where }) => {
  let child: ChildProcess | undefined;
  let hasBeenKilled = false;
  const ended = Promise.withResolvers<void>();
  const kill = async () => {
    hasBeenKilled = true;
    child?.kill('SIGKILL');
    await ended.promise;
  };
  const answers = (body: string): Answer => {
    const answer = answerFor(body, MARK);
    if (hasBeenKilled || stepOf(body) !== step) return answer;
    if (where === 'while a tool runs') {
      hasBeenKilled = true;
      box.write('deadly', '');
      return answer;
    }
    const at = where === 'as it is asked' ? 0 : Math.floor(answer.body.length / 2);
    return { ...answer, pause: { at, until: kill } };
  };
  const box = await asking('llamacpp', answers, CONFIG, DEADLY);
  child = startKen(box);
  child.on('exit', () => ended.resolve());
  await ended.promise;
  const before = newestEvents(box.root);
  checkBegun(before);
  const resumed = await box.ken(['q', '--id', '@last']);
  expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n' });
  const after = newestEvents(box.root);
  expect(after.slice(0, before.length)).toEqual(before);
  checkWhole(after);
  const interrupted = after.filter((event) =>
    JSON.stringify(event).includes('was interrupted before it had'),
  );
  expect(interrupted.length > 0).toBe(where === 'while a tool runs');
});

function checkBegun(events: readonly ConversationEvent[]): void {
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['turn_start', 'user_message']);
  expect(events.at(-1)).not.toMatchObject({ finish: 'stop' });
}

it('a turn that is killed at any moment goes on where it was', async () => {
  const whole = await asking('llamacpp', (body) => answerFor(body), CONFIG);
  const { took, ended } = await runFor(whole, 60_000);
  expect(ended).toBe(true);
  checkWhole(whole.events());
  const phases = { before: 0, inside: 0, after: 0 };
  const rounds = scaled(5, 120);
  const random = seededRandom('turns');
  for (let round = 0; round < rounds; round++) {
    const box = await asking('llamacpp', (body) => answerFor(body), CONFIG);
    const run = await runFor(box, took * (0.3 + (0.75 * (round + random())) / rounds));
    const hasBegun =
      existsSync(path.join(box.root, '.ken/conversations')) &&
      (await box.ken(['c', 'ls', '--json'])).stdout !== '{"conversations":[]}\n';
    const before = hasBegun ? newestEvents(box.root) : [];
    phases[run.ended ? 'after' : before.length > 0 ? 'inside' : 'before'] += 1;
    if (before.length === 0) continue;
    if (!run.ended) {
      const resumed = await box.ken(['q', '--id', '@last']);
      const isDone = resumed.code === 2 && resumed.stderr.includes('There is no question');
      if (!isDone) expect(resumed).toMatchObject({ code: 0, stdout: 'Done.\n' });
    }
    const after = newestEvents(box.root);
    expect(after.slice(0, before.length)).toEqual(before);
    checkWhole(after);
  }
  expect(phases.inside).toBeGreaterThan(0);
}, 600_000);
