import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { App } from '../../app.ts';
import { fixedClock } from '../../base/time.ts';
import type { Approval } from '../../domain/approvals/approval.ts';
import type { Approver } from '../../domain/approvals/approver.ts';
import type { Questioner } from '../../domain/tools/questioner.ts';
import type { ToolQuestion } from '../../domain/tools/tool.ts';
import { hidingProgressWhileAsking, processTerminal, type Streams } from './terminal.ts';

const QUESTION: ToolQuestion = { id: 'q', text: 'Well?', answerType: 'text' };
const never = new AbortController().signal;

function screen() {
  const errors = Object.assign(new PassThrough(), { isTTY: true, columns: 60 });
  const streams = { output: new PassThrough(), errors, input: new PassThrough() };
  const globals = { json: false, quiet: false, verbose: false, color: undefined };
  const terminal = processTerminal(streams as never as Streams, { TERM: 'xterm' }, globals as never);
  return { terminal, shown: () => String(errors.read() ?? '') };
}

it.each(['approver', 'questioner'] as const)('draws no progress while the %s waits', async (who) => {
  const { terminal, shown } = screen();
  const progress = await terminal.progress(fixedClock(0), never);
  progress.phase({ title: 'counting', total: 3 });
  expect(shown()).toContain('counting');
  const ask = async () => {
    expect(shown()).toBe('\r\u001b[K');
    progress.phase({ title: 'still counting', total: 3 });
    progress.update(2);
    expect(shown()).toBe('');
    return undefined as never;
  };
  const port: Approver & Questioner = { isThere: async () => true, asksAgain: async () => true, ask };
  const app = hidingProgressWhileAsking<Pick<App, 'approver' | 'questioner'>>(terminal, {
    approver: port,
    questioner: port,
  });
  expect(await app[who].isThere()).toBe(true);
  await (who === 'approver'
    ? app.approver.ask({} as Approval, never)
    : app.questioner.ask('t', QUESTION, never));
  progress.phase({ title: 'counting again', total: 3 });
  expect(shown()).toContain('counting again');
});

it('draws again when whoever was asked broke off', async () => {
  const { terminal, shown } = screen();
  const progress = await terminal.progress(fixedClock(0), never);
  await expect(terminal.withoutProgress(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  progress.phase({ title: 'counting', total: 3 });
  expect(shown()).toContain('counting');
});

it('stops reading input that does not end', async () => {
  const piece = Buffer.alloc(64 * 1024 * 1024);
  const input = (async function* () {
    for (let at = 0; at < 17; at++) yield piece;
  })();
  const streams = { output: new PassThrough(), errors: new PassThrough(), input };
  const globals = { json: false, quiet: false, verbose: false, color: undefined };
  const terminal = processTerminal(streams as never as Streams, {}, globals as never);
  await expect(terminal.readInput()).rejects.toMatchObject({
    code: 'files/too-long',
    message: 'Standard input is longer than 1 GiB.',
  });
});
