/** Answers at a real terminal, from a model that sends a token every 50 ms. */

import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../src/entry/cli/render/markdown.ts';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { CTRL_C, openPty, ptyProblem } from '../cli/pty.ts';
import { sizedScreen } from '../cli/sized-screen.ts';
import { type Answer, replayServer } from '../recorded/replay-server.ts';
import { calling, sayingSlowly } from './scripted-replies.ts';

const problem = ptyProblem();

async function placeWith(answers: readonly Answer[]): Promise<Sandbox> {
  const { url } = await replayServer(answers);
  const place = sandbox('');
  const provider = `providers.llm.loop = { kind = "openai-compatible", base_url = "${url}/v1" }`;
  writeOwnConfig(place.home, `assistant.model = "loop/m"\n${provider}\n`);
  return place;
}

const inTokens = (text: string) => text.match(/\s*\S{1,8}|\s+/gu) ?? [];

const SHORT =
  'Some **bold** words, 日本の `茶道`.\n\n| a | b |\n|---|---|\n| 1 | two |\n\n- x\n  1. *y*\n\n```sh\nls\n```\n[l](http://x)\n';

const LONG = Array.from(
  { length: 5 },
  (_, at) => `Part ${at}: **${'word '.repeat(12).trim()}** and the end.`,
).join('\n\n');

async function rendered(text: string, columns: number): Promise<readonly string[]> {
  const screen = sizedScreen({ columns, rows: 1000 });
  screen.write(await renderMarkdown(text, { columns, color: true, hyperlinks: false }));
  return screen.rows().slice(0, -1);
}

const USAGE = /^1,234 tokens in, \d+ out, \d+\.\d s$/;

/** The rows of the answer: without the line about tokens, which may be wrapped. */
function answerRows(rows: readonly string[]): readonly string[] {
  const end = rows.findIndex((row) => row.startsWith('1,234 tokens'));
  return rows.slice(0, Math.max(0, end));
}

describe.skipIf(problem)(`words as they come${problem ? ` (${problem})` : ''}`, () => {
  it.each([20, 80, 200])('ends as the rendering of the whole at %i columns', async (columns) => {
    const place = await placeWith([sayingSlowly(inTokens(SHORT))]);
    const pty = openPty('ken q hello', {
      directory: place.root,
      columns,
      environment: { KEN_HOME: place.home },
    });
    const { code, output } = await pty.ended();
    expect(code).toBe(0);
    const screen = sizedScreen({ columns, rows: 24 });
    screen.write(output.replaceAll('\r\n', '\n'));
    expect(answerRows(screen.rows())).toEqual(await rendered(SHORT, columns));
    if (columns > 20) expect(screen.rows().filter((row) => USAGE.test(row))).toHaveLength(1);
  });

  it('shows every word once where the answer is longer than the screen', async () => {
    const place = await placeWith([sayingSlowly(inTokens(LONG))]);
    const pty = openPty('ken q hello', {
      directory: place.root,
      columns: 20,
      environment: { KEN_HOME: place.home },
    });
    const { output } = await pty.ended();
    const screen = sizedScreen({ columns: 20, rows: 24 });
    screen.write(output.replaceAll('\r\n', '\n'));
    const words = (rows: readonly string[]) => rows.join(' ').split(/\s+/).filter(Boolean);
    expect(words(answerRows(screen.rows()))).toEqual(words(await rendered(LONG, 20)));
  });

  it('shows the first word within 150 ms, and what it waits for until then', { retry: 2 }, async () => {
    let sentAt = 0;
    const slow = sayingSlowly(['Tea', ' is', ' good.'], (token, at) => {
      if (token === 'Tea') sentAt = at;
    });
    const begin = Promise.withResolvers<void>();
    const waiting: Answer = { ...slow, pace: { everyMs: 50, sent: (event) => slow.pace?.sent(event) } };
    const { url } = await replayServer([{ ...waiting, before: () => begin.promise }]);
    const place = sandbox('');
    const provider = `providers.llm.loop = { kind = "openai-compatible", base_url = "${url}/v1" }`;
    writeOwnConfig(place.home, `assistant.model = "loop/m"\n${provider}\n`);
    const pty = openPty('ken q hello', { directory: place.root, environment: { KEN_HOME: place.home } });
    await pty.waitFor('\rwaiting for loop/m … 1 s');
    begin.resolve();
    await pty.waitFor('Tea');
    expect(performance.now() - sentAt).toBeLessThan(150 * overload());
    const { output } = await pty.ended();
    const screen = sizedScreen({ columns: 80, rows: 24 });
    screen.write(output.replaceAll('\r\n', '\n'));
    expect(answerRows(screen.rows())).toEqual(['Tea is good.']);
  });

  it('keeps what came when Ctrl-C stops it, as the rendering of that', async () => {
    const place = await placeWith([sayingSlowly(inTokens(`Some **bold ${'words '.repeat(200)}`))]);
    const pty = openPty('ken q hello; echo "code $?"', {
      directory: place.root,
      environment: { KEN_HOME: place.home },
    });
    await pty.waitFor('words words');
    pty.type(CTRL_C);
    const { output } = await pty.ended();
    const screen = sizedScreen({ columns: 80, rows: 24 });
    screen.write(output.replaceAll('\r\n', '\n'));
    const rows = screen.rows();
    expect(rows.at(-2)).toBe('code 130');
    expect(rows.join('\n')).toMatch(/^Some \*\*bold words words/);
    expect(rows.join('\n')).not.toContain('^C');
  });

  it('names the tool that runs, and what comes after it is a text of its own', async () => {
    const place = await placeWith([
      calling([{ name: 'search', arguments: { question: 'tea' } }]),
      sayingSlowly(['Done.']),
    ]);
    const pty = openPty('ken q hello', { directory: place.root, environment: { KEN_HOME: place.home } });
    await pty.waitFor('running search …');
    await pty.waitFor('waiting for loop/m …');
    const { output } = await pty.ended();
    const screen = sizedScreen({ columns: 80, rows: 24 });
    screen.write(output.replaceAll('\r\n', '\n'));
    expect(answerRows(screen.rows())).toEqual(['→ search "tea"', 'Done.']);
  });
});

/** Where more processes want to run than there are processors, each of them waits its turn. */
function overload(): number {
  const [lastMinute = 0] = os.loadavg();
  return Math.max(1, lastMinute / os.availableParallelism());
}
