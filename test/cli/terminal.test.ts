import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/base/terminal-text.ts';
import { childProgram } from '../child-program.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { sandbox } from './ken.ts';
import { CTRL_C, CTRL_D, openPty, type PtyOptions, ptyProblem } from './pty.ts';
import { screenOf } from './screen.ts';

const child = `"${process.execPath}" "${childProgram('cli/terminal')}"`;
const problem = ptyProblem();
const describeOnPty = problem ? describe.skip : describe;
const name = problem ? `on a terminal (skipped: ${problem})` : 'on a terminal';

function onPty(line: string, options: Partial<PtyOptions> = {}) {
  return openPty(line, { directory: temporaryDirectory(), ...options });
}

const RED = '\u001b[31mred\u001b[39m';

describeOnPty(name, () => {
  it('colours for a person, unless they do not want it', async () => {
    const lines = [
      `${child} style`,
      `NO_COLOR=1 ${child} style`,
      `${child} style --no-color`,
      `TERM=dumb ${child} style`,
    ];
    const { output } = await onPty(lines.join('; ')).ended();
    expect(output.split('\r\n').filter((line) => line.includes('red'))).toEqual([RED, 'red', 'red', 'red']);
  });

  it('knows what it stands on', async () => {
    const { output } = await onPty(`${child} style --no-color`, { columns: 43 }).ended();
    expect(JSON.parse(output.split('\r\n')[1] ?? '')).toEqual({
      color: false,
      hyperlinks: false,
      markdown: true,
      isTerminal: true,
      isInteractive: true,
      columns: 43,
    });
  });

  it('is not interactive when its input is a file', async () => {
    const { output } = await onPty(`${child} style --no-color </dev/null`).ended();
    expect(output).toContain('"isTerminal":true,"isInteractive":false');
  });

  it('obeys nothing that a text says', async () => {
    const { output } = await onPty(`${child} print 'a\\u001b[2J\\u202eb\\rc'`).ended();
    expect(output).toBe('a\\u{1B}[2J\\u{202E}b\\u{D}c\r\n');
  });

  it('fits tables and Markdown into twenty columns', async () => {
    const { output } = await onPty(`${child} table --no-color; ${child} markdown --no-color`, {
      columns: 20,
    }).ended();
    expect(output.replaceAll('\r\n', '\n')).toBe(
      [
        'tea',
        '  title: What to',
        '  know about tea',
        '  files: 12',
        '日本',
        '  title: 日本の茶道',
        '  files: 3',
        '# Tea',
        '',
        'Some words about it,',
        'and a link',
        '(https://example.org).',
        '',
        '- one',
        '- two',
        '',
      ].join('\n'),
    );
  });

  it('stays within twenty columns in help', async () => {
    const { output, code } = await onPty('ken --help', { columns: 20 }).ended();
    expect(code).toBe(0);
    const lines = output.split('\r\n');
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => displayWidth(line) > 20 && !line.startsWith('  ken '))).toEqual([]);
  });

  it('writes links only for a terminal that opens them', async () => {
    const linked = await onPty(`${child} markdown --no-color`, {
      environment: { FORCE_HYPERLINK: '1' },
    }).ended();
    expect(linked.output).toContain('a \u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\.');
    const plain = await onPty(`${child} markdown --no-color`).ended();
    expect(plain.output).toContain('a link (https://example.org).');
  });

  it.each([
    ['ends', 'work', 0, ['a note', 'done']],
    ['is forgotten', 'work forget', 0, ['a note', 'done']],
  ])('leaves no half line of progress when it %s', async (_, words, code, rows) => {
    const ended = await onPty(`${child} ${words}`).ended();
    expect(ended.output).toContain('\rWorking  [##################----------]  66%  2/3 steps\u001b[K');
    expect(ended.code).toBe(code);
    expect(screenOf(ended.output)).toEqual({
      rows: [...rows, ''].slice(0, rows.length),
      isCursorShown: true,
    });
  });

  it('takes the progress away before it tells what broke', async () => {
    const { output, code } = await onPty(`${child} work fail`).ended();
    expect(code).toBe(70);
    const { rows } = screenOf(output);
    expect(rows.slice(0, 2)).toEqual(['a note', 'Error: it broke']);
  });

  it('takes the progress away at Ctrl-C', async () => {
    const pty = onPty(`${child} work forever`);
    await pty.waitFor('2/3');
    pty.type(CTRL_C);
    const { output, code } = await pty.ended();
    expect(code).toBe(130);
    expect(screenOf(output)).toEqual({ rows: ['a note', ''], isCursorShown: true });
  });

  it('asks, and is content only with an answer', async () => {
    const pty = onPty(`${child} ask`);
    await pty.waitFor('Choose: ');
    pty.type('milk\r');
    await pty.waitFor('Choose: ');
    pty.type('2\r');
    const { output, code } = await pty.ended();
    expect(code).toBe(0);
    expect(screenOf(output)).toEqual({
      rows: [
        'kitchen asks:',
        '│ What to drink?',
        '│ 1) tea',
        '│ 2) coffee',
        'Choose: milk',
        'Type one of the marks, or the words after it; Ctrl-D gives no answer.',
        'Choose: 2',
        'answer: coffee',
      ],
      isCursorShown: true,
    });
  });

  it.each([
    ['Ctrl-C', CTRL_C, 130, ['ken: Interrupted.']],
    ['Ctrl-D', CTRL_D, 0, ['answer: undefined']],
  ])('takes %s for no answer', async (_, key, code, rows) => {
    const pty = onPty(`${child} ask`);
    await pty.waitFor('Choose: ');
    pty.type(key);
    const ended = await pty.ended();
    expect(ended.code).toBe(code);
    expect(screenOf(ended.output).rows.slice(4)).toEqual(['Choose:', ...rows]);
  });

  it('asks nobody when the input is a file or errors go elsewhere', async () => {
    const { output } = await onPty(`${child} ask </dev/null; ${child} ask 2>/dev/null`).ended();
    expect(output).toBe('nobody\r\nnobody\r\n');
  });

  it('shows no bar on a dumb terminal, when quiet, and when errors go elsewhere', async () => {
    for (const line of [`TERM=dumb ${child} work`, `${child} work 2>/dev/null`]) {
      const { output } = await onPty(line).ended();
      expect(output.replace('a note\r\n', '')).toBe('done\r\n');
    }
    expect((await onPty(`${child} work -q`).ended()).output).toBe('done\r\n');
  });
});

describe('in a pipe', () => {
  const piped = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [childProgram('cli/terminal'), ...words], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', ...environment },
    });
    return { stdout, stderr, status };
  };

  it('has no colour, no width and nobody to ask', () => {
    expect(piped(['style'])).toEqual({
      stdout:
        'red\n{"color":false,"hyperlinks":false,"markdown":false,"isTerminal":false,"isInteractive":false,"columns":80}\n',
      stderr: '',
      status: 0,
    });
  });

  it('has colour when it is forced, unless a flag forbids it', () => {
    expect(piped(['style'], { FORCE_COLOR: '1' }).stdout).toContain(RED);
    expect(piped(['style', '--no-color'], { FORCE_COLOR: '1' }).stdout).not.toContain(RED);
  });

  it('gets data as they are', () => {
    expect(piped(['print', 'a\\u001b[2J\\rb']).stdout).toBe('a\u001b[2J\rb\n');
  });

  it('gets whole tables', () => {
    expect(piped(['table']).stdout).toBe(
      'topic  title                   files\ntea    What to know about tea  12\n日本   日本の茶道              3\n',
    );
  });

  it('keeps standard error free of bars', () => {
    expect(piped(['work'])).toEqual({ stdout: 'done\n', stderr: 'a note\n', status: 0 });
  });
});

it('keeps quiet about NO_COLOR beside FORCE_COLOR', async () => {
  const environment = { NO_COLOR: '1', FORCE_COLOR: '1' };
  expect(await sandbox().ken(['config', 'show', 'style.color'], { environment })).toMatchObject({
    code: 0,
    stderr: '',
  });
});

it('takes colour from the configuration, below the environment', async () => {
  const { ken } = sandbox('[style]\ncolor = "always"\n');
  const first = async (environment = {}) => (await ken(['status'], { environment })).stdout.split('\n')[0];
  expect(await first()).toBe('\u001b[1mWorkspace\u001b[22m');
  expect(await first({ NO_COLOR: '1' })).toBe('Workspace');
});
