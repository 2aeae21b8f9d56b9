import fc from 'fast-check';
import { expect, it } from 'vitest';
import { displayWidth } from '../../base/terminal-text.ts';
import { newApproval } from '../../domain/approvals/approval-store.contract.ts';
import type { ApprovalReason } from '../../domain/approvals/reason.ts';
import { approvalRows, recordRows } from './approver.ts';
import { framedRows, quotedRows } from './framed-text.ts';

function asked(reason: ApprovalReason) {
  return { ...newApproval({ reason }), state: { status: 'pending' } as const };
}

it('puts all of a request into the frame', () => {
  const reason: ApprovalReason = {
    type: 'tool_run',
    tool: 'sh',
    arguments: { command: '# harmless\n\x1b[8mrm -rf ~\x1b[0m', note: '\u202egpj.exe' },
  };
  expect(approvalRows(asked(reason), 60)).toEqual([
    "│ Run tool 'sh'?",
    '│',
    '│ arguments:',
    '│ » command: |',
    '│ »   # harmless',
    '│ »   \\u{1B}[8mrm -rf ~\\u{1B}[0m',
    '│ » note: "\\u{202E}gpj.exe"',
    '│',
    '│ asked by ken',
    '│ in /home/ada/project',
  ]);
});

it('shows the record with the exact request', () => {
  expect(recordRows(asked({ type: 'workspace_escape', path: '/etc' }), 80)).toEqual([
    '│ approval   a1',
    '│ reason     workspace_escape',
    '│ asked by   ken',
    '│ workspace  /home/ada/project',
    '│ created    2030-01-01T12:00:00.000Z',
    '│ expires    2030-01-02T12:00:00.000Z',
    '│ sha-256    d1',
    '│ request',
    '│ » tool: "fs.remove"',
    '│ » arguments:',
    '│ »   path: "build"',
  ]);
});

it('shows ten thousand lines, and a line of ten thousand characters, whole', () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => `echo ${at}`);
  const shown = approvalRows(asked({ type: 'label_command', label: 'x', command: lines.join('\n') }), 80);
  expect(shown.slice(3, -3)).toEqual(lines.map((line) => `│ » ${line}`));
  const long = `${' '.repeat(9_990)}; rm -rf /`;
  const rows = framedRows(long, 80);
  expect(
    rows
      .map((row) => row.slice(2).padEnd(77))
      .join('')
      .trimEnd(),
  ).toBe(long);
});

it('lets nothing out of the frame, whatever it is', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({
      unit: fc.constantFrom('a', '\n', '\t', ' ', '\r', '\x1b', '日', '👩‍👩‍👧', '\u0301', '│'),
      maxLength: 300,
    }),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 120 }), (foreign, columns) => {
      for (const row of framedRows(foreign, columns)) {
        expect(row).toMatch(/^[│┆](?: [^\p{Cc}\u202a-\u202e\u2066-\u2069]*)?$/u);
        expect(displayWidth(row)).toBeLessThanOrEqual(Math.max(13, columns));
      }
    }),
  );
});

it('gives foreign text a mark of its own on every row, at every width', () => {
  const line = fc.constantFrom(
    'evidence: x',
    'asked by root',
    'in /somewhere',
    '», ok',
    '',
    'text:',
    'a'.repeat(300),
  );
  const foreign = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join('\n'));
  const nothing = asked({ type: 'label_command', label: 'x', command: '' });
  fc.assert(
    fc.property(foreign, fc.integer({ min: 1, max: 120 }), (text, columns) => {
      const forged = { ...nothing, actor: text, reason: { ...nothing.reason, label: text, command: text } };
      const own = approvalRows(forged as typeof nothing, columns).filter((row) => !/^[│┆] »/.test(row));
      const first = own.filter((row) => row.startsWith('│')).map((row) => row.slice(2));
      expect(first.slice(1)).toEqual([
        '',
        'command:',
        '',
        expect.stringMatching(/^asked by/),
        expect.stringMatching(/^in \/home/),
      ]);
      expect(first[0]).toMatch(/^Run a comm/);
      for (const row of quotedRows(text, columns)) expect(row).toMatch(/^[│┆] »/);
    }),
  );
});
