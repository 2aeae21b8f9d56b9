import { expect, it } from 'vitest';
import { shippedFiles, textOf } from '../source-files.ts';

function filesWith(pattern: RegExp): string[] {
  return shippedFiles.filter((file) => pattern.test(textOf(file))).sort();
}

it('reads keys of a person in few places, and decides by them only where the operator is present', () => {
  expect(filesWith(/'[^']*\/read-line\.ts'/)).toEqual([
    'adapters/terminal/approver.ts',
    // Questions to the assistant, which decide nothing.
    'adapters/terminal/line-prompt.ts',
    'adapters/terminal/questioner.ts',
    // The passphrase of the lock, which only `operatorPresence` asks for, and `ken approvals lock`.
    'compose/approvals.ts',
  ]);
  expect(filesWith(/lock\.open\(\)/)).toEqual(['domain/approvals/operator/operator-presence.ts']);
});

it('has one function that says whether the operator is present', () => {
  expect(filesWith(/\boperatorPresence\(/)).toEqual([
    'compose/approvals.ts',
    'domain/approvals/operator/operator-presence.ts',
  ]);
});

/** A new file belongs here if it decides, surveys or permits more; one that only asks something belongs to the next list. */
it('asks it before every decision, survey and setting that permits more', () => {
  expect(filesWith(/\bpresence\(\)|\brequireOperator\(/)).toEqual([
    'adapters/terminal/approver.ts',
    'domain/approvals/decide-approval.ts',
    'domain/approvals/operator/keep-trust.ts',
    'domain/approvals/operator/operator-presence.ts',
    'entry/cli/commands/approvals/lock.ts',
    'entry/cli/commands/config/set.ts',
    'entry/cli/commands/conversation/edit.ts',
    'entry/cli/commands/knowledge/edit.ts',
    'entry/cli/commands/knowledge/shared/proposals.ts',
    'entry/cli/commands/ref/create.ts',
    'entry/cli/commands/repair.ts',
    'entry/cli/commands/serve/login.ts',
    'entry/cli/commands/serve/members.ts',
    'entry/cli/commands/serve/tokens.ts',
    'entry/cli/commands/team/move.ts',
    'entry/cli/commands/team/remove.ts',
    'entry/cli/commands/tools/run.ts',
    'entry/cli/commands/web.ts',
    'entry/cli/erase-target.ts',
    'entry/web/pages/tools.ts',
    'entry/web/web-routes.ts',
  ]);
});

it('asks it before every question', () => {
  expect(
    filesWith(/\bpresence\('question'\)|questioner\.isThere\(\)|requireOperator\([^)]*'question'\)/),
  ).toEqual([
    'adapters/terminal/questioner.ts',
    'domain/tools/answer-question.ts',
    'domain/turns/prepare-turn.ts',
    'entry/cli/commands/approvals/lock.ts',
    'entry/cli/commands/confirm-deletion.ts',
    'entry/cli/commands/init.ts',
    'entry/cli/commands/restore.ts',
    'entry/cli/commands/team/move.ts',
    'entry/cli/commands/tools/build.ts',
    'entry/cli/commands/tools/new.ts',
    'entry/cli/commands/tools/run.ts',
    'entry/cli/commands/web.ts',
    'entry/cli/erase-target.ts',
    'entry/cli/terminal.ts',
    // Every form of the page, before its action.
    'entry/web/web-routes.ts',
  ]);
  // Every file that puts a question has asked it.
  expect(filesWith(/questioner\.ask\(/)).toEqual([
    'domain/tools/answer-question.ts',
    'domain/turns/prepare-turn.ts',
    'entry/cli/commands/approvals/lock.ts',
    'entry/cli/commands/confirm-deletion.ts',
    'entry/cli/commands/init.ts',
    'entry/cli/commands/repair.ts',
    'entry/cli/commands/restore.ts',
    'entry/cli/commands/team/move.ts',
    'entry/cli/commands/team/remove.ts',
    'entry/cli/commands/tools/build.ts',
    'entry/cli/commands/tools/new.ts',
    'entry/cli/erase-target.ts',
    'entry/cli/terminal.ts',
  ]);
});

it('puts every request for a decision through the two functions that use the approver', () => {
  expect(filesWith(/approver\.ask\(/)).toEqual([
    'domain/approvals/decide-approval.ts',
    'domain/approvals/seek-approval.ts',
    'entry/cli/terminal.ts',
  ]);
});

it('records decisions in the stores that sign and log them, and nowhere else', () => {
  expect(filesWith(/sqlite(?:Approval|Trust|ToolPin)Store\(/)).toEqual([
    'adapters/sqlite/approvals/approval-store.ts',
    'adapters/sqlite/approvals/tool-pin-store.ts',
    'adapters/sqlite/approvals/trust-store.ts',
    'compose/approvals.ts',
  ]);
});
