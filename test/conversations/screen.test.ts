import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/base/terminal-text.ts';
import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import { atTerminal } from '../cli/at-terminal.ts';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { CTRL_C, openPty, ptyProblem } from '../cli/pty.ts';

const problem = ptyProblem();
const START = Date.UTC(2026, 0, 1);
const AT = '2026-01-01T00:00:00.000Z';
const TITLES = [
  '日本の茶道とその歴史についての長い覚え書き',
  'Family \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} and flags \u{1f1ef}\u{1f1f5}\u{1f1e9}\u{1f1ea}',
  'A plain title that is much longer than twenty columns',
  'evil \u001b[2J\u202e title',
];
const LABELS = { branch: 'feat-日本語の枝', team: 'platform' };

const idOf = (number: number) => conversationIdAt(START + number * 60_000, '0000');

function withConversation(
  place: Sandbox,
  number: number,
  title: string,
  events: readonly object[] = [],
): void {
  const directory = `.ken/conversations/${idOf(number)}`;
  const time = new Date(START + number * 60_000).toISOString();
  const metadata = { title, created_at: time, active_at: time, labels: LABELS };
  place.write(`${directory}/metadata.json`, JSON.stringify(metadata));
  place.write(`${directory}/base_config.json`, '{}');
  place.write(`${directory}/events.jsonl`, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
}

/** A pager that shows how many lines it got. */
const COUNTING = `let text = '';
process.stdin.on('data', (part) => (text += part));
process.stdin.on('end', () => console.log('PAGED ' + text.split('\\n').length));
`;

const SAID = [
  { type: 'turn_start', at: AT, turn: 1 },
  { type: 'user_message', at: AT, text: '茶道の歴史について、簡単に教えてください。お願いします。' },
  {
    type: 'assistant_message',
    at: AT,
    text: '# 茶\n\nTea \u{1f375} **is** good.',
    model: 'x/y',
    finish: 'stop',
  },
  { type: 'approval', at: AT, id: '3f2a9c41d07e', decision: 'denied', summary: 'Run tool "x"?', by: 'ada' },
];

describe.skipIf(problem)(`on a narrow terminal${problem ? ` (${problem})` : ''}`, () => {
  let place: Sandbox;
  beforeEach(() => {
    place = sandbox('');
    for (const [number, title] of TITLES.entries()) withConversation(place, number, title, SAID);
  });

  it.each([
    ['c', 'ls'],
    ['c', 'ls', '--show-labels'],
    ['c', 'show', idOf(0)],
    ['c', 'print', idOf(0)],
  ])('ken %s %s fits twenty columns', async (...words) => {
    const { code, text } = await atTerminal(place, words, [], { columns: 20 });
    expect(code).toBe(0);
    const wide = text.split('\n').filter((line) => displayWidth(line) > 20);
    // A time or a path has no place to break.
    expect(wide.filter((line) => line.trim().includes(' '))).toEqual([]);
    expect(text).not.toContain('\u001b[2J');
  });

  it('ken c ls shows a block each', async () => {
    const { text } = await atTerminal(place, ['c', 'ls', '--limit', '2'], [], { columns: 20 });
    expect(text.split('\n')).toEqual([
      idOf(3),
      '  active: 2026-01-01',
      '  00:03',
      '  title: evil',
      '  \\u{1B}[2J\\u{202E}',
      '  title',
      idOf(2),
      '  active: 2026-01-01',
      '  00:02',
      '  title: A plain',
      '  title that is much',
      '  longer than twenty',
      '  columns',
      '',
    ]);
  });

  it('ken c ls cuts wide titles between characters', async () => {
    const { text } = await atTerminal(place, ['c', 'ls'], [], { columns: 45 });
    expect(text.split('\n').slice(-3)).toEqual([
      `${idOf(1)}  2026-01-01 00:01  Family \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} an…`,
      `${idOf(0)}  2026-01-01 00:00  日本の茶道と…`,
      '',
    ]);
  });
});

describe.skipIf(problem)(`the pager${problem ? ` (${problem})` : ''}`, () => {
  const MANY = 40;
  let place: Sandbox;
  beforeEach(() => {
    place = sandbox('');
    for (let number = 0; number < MANY; number++) withConversation(place, number, `Talk ${number}`);
    place.write('pager.mjs', COUNTING);
  });
  const onScreen = (line: string, environment: Record<string, string> = {}) =>
    openPty(line, { directory: place.root, environment: { KEN_HOME: place.home, ...environment } });
  const counting = () => ({ PAGER: `${process.execPath} ${path.join(place.root, 'pager.mjs')}` });

  it.each([
    ['ken c ls', `PAGED ${MANY + 2}`],
    ['ken c ls --limit 22', undefined],
    ['ken c ls --limit 23', 'PAGED 25'],
    ['ken c ls -c style.pager=never', undefined],
    ['ken c ls --limit 1 -c style.pager=always', 'PAGED 3'],
    ['ken c ls --json', undefined],
    ['ken c ls < /dev/null', undefined],
    ['ken c ls | cat', undefined],
    ['PAGER= ken c ls', undefined],
    ['PAGER=cat ken c ls', undefined],
    ['PAGER=no-such-pager-here ken c ls', undefined],
    ['TERM=dumb ken c ls', undefined],
  ])('%s: %s', async (line, paged) => {
    const { code, output } = await onScreen(line, counting()).ended();
    const found = /PAGED \d+/.exec(output)?.[0];
    expect({ code, found }).toEqual({ code: 0, found: paged });
    expect(output.includes(idOf(MANY - 1))).toBe(paged === undefined);
  });

  it.each([
    ['ken c grep tea', 0, `PAGED ${MANY + 1}`],
    ['ken c grep tea -c style.pager=never', 0, undefined],
    ['ken c grep tea | cat', 0, undefined],
    ['ken c grep "tea 7"', 0, undefined],
    ['ken c grep coffee', 1, undefined],
    ['ken c grep coffee -c style.pager=always', 1, undefined],
  ])('%s ends with %i: %s', async (line, code, paged) => {
    for (let number = 0; number < MANY; number++)
      withConversation(place, number, 'Tea', [{ type: 'user_message', at: AT, text: `tea ${number}` }]);
    const ended = await onScreen(line, counting()).ended();
    const found = /PAGED \d+/.exec(ended.output)?.[0];
    expect({ code: ended.code, found }).toEqual({ code, found: paged });
    expect(ended.output.includes(`${idOf(7)}:0:user:tea 7`)).toBe(paged === undefined && code === 0);
  });

  it('may be left before the end, and Ctrl-C is for it alone', async () => {
    const early = await onScreen('ken c ls; echo "left $?"', { PAGER: 'head -n 2' }).ended();
    expect(early.output.replaceAll('\r', '').split('\n').at(-2)).toBe('left 0');
    const patient = `${process.execPath} -e "process.on('SIGINT', () => process.exit(0)); console.log('READY'); process.stdin.resume(); setInterval(() => {}, 1000)"`;
    const pty = onScreen('trap "" INT; ken c ls; echo "left $?"', { PAGER: patient });
    await pty.waitFor('READY');
    pty.type(CTRL_C);
    expect((await pty.ended()).output).toContain('left 0');
  });

  it('shows a transcript with its styles', async () => {
    const long = Array.from({ length: 60 }, (_, at) => `- **item** ${at}`).join('\n');
    const said = [{ type: 'assistant_message', at: AT, text: long, model: 'x/y', finish: 'stop' }];
    withConversation(place, 0, 'Long', said);
    const log = path.join(place.home, 'paged');
    const { code } = await onScreen(`ken c print ${idOf(0)}`, { PAGER: `tee ${log}` }).ended();
    expect(code).toBe(0);
    const { stdout } = await place.shell(`cat ${log}`);
    expect(stdout).toContain('\u001b[1mitem\u001b[22m 59');
  });
});
