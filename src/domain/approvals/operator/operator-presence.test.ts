import { describe, expect, it } from 'vitest';
import { PROGRAM_MARKS, VARIABLE_MARKS } from './assistant-marks.ts';
import {
  type AncestorProcess,
  operatorPresence,
  type Purpose,
  requireOperator,
} from './operator-presence.ts';

interface Scene {
  readonly isAtTerminal?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ancestors?: readonly AncestorProcess[];
  readonly opens?: boolean;
  readonly purpose?: Purpose;
}

function presenceIn({
  isAtTerminal = true,
  environment = {},
  ancestors = [],
  opens = true,
  purpose,
}: Scene = {}) {
  return operatorPresence(
    {
      isAtTerminal: () => isAtTerminal,
      environment,
      processTable: { ancestors: async () => ancestors },
      lock: { open: async () => opens },
    },
    purpose,
  );
}

const shell: AncestorProcess = { pid: 7, program: 'bash', environment: { PATH: '/bin' } };

it('is present at a terminal that no assistant opened', async () => {
  expect(await presenceIn({ environment: { TERM: 'xterm' }, ancestors: [shell] })).toEqual({
    isPresent: true,
  });
});

it('is not present for a decision while approvals are locked, and for a question is', async () => {
  expect(await presenceIn({ opens: false })).toEqual({
    isPresent: false,
    why: 'approvals are locked, and the passphrase was not given',
    hint: 'Run it again and type the passphrase, or decide with "ken approvals unlock".',
  });
  expect(await presenceIn({ opens: false, purpose: 'question' })).toEqual({ isPresent: true });
});

it('is not present without a terminal', async () => {
  expect(await presenceIn({ isAtTerminal: false })).toEqual({
    isPresent: false,
    why: 'there is no person at a terminal',
    hint: 'Run it in a terminal of your own.',
  });
});

describe.each(VARIABLE_MARKS)('$variable of $assistant', ({ assistant, variable, values, source }) => {
  const value = values?.[0] ?? '1';

  it('counts in the environment, and the refusal names it', async () => {
    expect(source).not.toBe('');
    expect(await presenceIn({ environment: { [variable]: value }, ancestors: [shell] })).toEqual({
      isPresent: false,
      why: `this terminal belongs to ${assistant} (the variable ${variable})`,
      hint: 'Run it in a terminal that you opened yourself, outside of the assistant.',
    });
  });

  it('counts in a process further up, when the environment was cleared', async () => {
    const above = { pid: 5, program: 'sh', environment: { [variable]: value } };
    expect(await presenceIn({ ancestors: [shell, above] })).toMatchObject({
      isPresent: false,
      why: `this terminal belongs to ${assistant} (the variable ${variable} of process 5)`,
    });
  });

  it.each(['', ' ', '0', 'false'])('does not count as %j', async (off) => {
    expect(await presenceIn({ environment: { [variable]: off } })).toEqual({ isPresent: true });
  });
});

it.each(PROGRAM_MARKS)(
  '$program as a process further up is $assistant',
  async ({ assistant, program, source }) => {
    expect(source).not.toBe('');
    const above = { pid: 3, program, environment: {} };
    expect(await presenceIn({ ancestors: [shell, above] })).toMatchObject({
      isPresent: false,
      why: `this terminal belongs to ${assistant} (process 3, ${program})`,
    });
  },
);

it.each([
  ['an editor’s own terminal', { TERM_PROGRAM: 'vscode', CURSOR_TRACE_ID: 'x', VSCODE_PID: '1' }],
  [
    'settings of an assistant',
    { CODEX_HOME: '/x', CLAUDE_CONFIG_DIR: '/x', GEMINI_API_KEY: 'x', AGENT: 'ssh' },
  ],
])('%s is no mark', async (_, environment) => {
  expect(await presenceIn({ environment })).toEqual({ isPresent: true });
});

it('requires the operator with a fault that names the mark', async () => {
  const operator = { presence: () => presenceIn({ environment: { CLAUDECODE: '1' } }) };
  await expect(requireOperator({ operator }, 'Setting net.allow')).rejects.toMatchObject({
    code: 'approvals/no-terminal',
    message: 'Setting net.allow needs you: this terminal belongs to Claude Code (the variable CLAUDECODE).',
  });
  await requireOperator({ operator: { presence: () => presenceIn() } }, 'x');
});
