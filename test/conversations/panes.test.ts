/** The panes of a real terminal while an answer is written, read over and over. */

import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../src/entry/cli/render/markdown.ts';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { sizedScreen } from '../cli/sized-screen.ts';
import { openWindow, tmuxProblem, type Window } from '../cli/tmux.ts';
import { replayServer } from '../recorded/replay-server.ts';
import { sayingSlowly } from './scripted-replies.ts';

const problem = tmuxProblem();

/** Every word of it is unique, and short enough for the narrowest cell. */
const ANSWER = `# w1 茶w2道

Some **w3 w4** and *w5*, \`w6\`, [w7](https://example.org/x) and 👨‍👩‍👧 w8.

| w9 | w10 |
|---|--:|
| w11 | 日本w12 |
| w13 | **w14** |

- w15 is an item that is longer than one narrow line
  1. w16 *w17*
     - w18
- w19

\`\`\`ts
const w20 = "w21 w22 w23 w24";
\tw25();
\`\`\`

> w26 **w27**

w28 ~~w29~~ ends.
`;

const inTokens = (text: string) => text.match(/\s*\S{1,8}|\s+/gu) ?? [];
const wordsOf = (rows: readonly string[]): readonly string[] => rows.join('\n').match(/w\d+/g) ?? [];

interface Streamed {
  readonly place: Sandbox;
  readonly window: Window;
  /** When the model sent each word. */
  readonly sentAt: ReadonlyMap<string, number>;
}

async function streamed(text: string, options: Parameters<typeof openWindow>[2]): Promise<Streamed> {
  const sentAt = new Map<string, number>();
  const told = (token: string, at: number) => {
    for (const word of wordsOf([token])) sentAt.set(word, at);
  };
  const { url } = await replayServer([sayingSlowly(inTokens(text), told)]);
  const place = sandbox('');
  const provider = `providers.llm.loop = { kind = "openai-compatible", base_url = "${url}/v1" }`;
  writeOwnConfig(place.home, `assistant.model = "loop/m"\n${provider}\n`);
  return { place, window: openWindow(place, 'q hello', options), sentAt };
}

async function rendered(text: string, columns: number): Promise<readonly string[]> {
  const screen = sizedScreen({ columns, rows: 1000 });
  screen.write(await renderMarkdown(text, { columns, color: true, hyperlinks: false }));
  // A terminal shows a tab at the beginning of a row as eight spaces.
  return screen
    .rows()
    .slice(0, -1)
    .map((row) => row.replace(/^\t/, '        '));
}

const endOf = (rows: readonly string[]) => rows.findIndex((row) => row.startsWith('1,234 tokens'));

/** Reads the pane until the answer is whole. `onEach` sees every reading. */
async function watch(window: Window, onEach: (rows: readonly string[]) => void): Promise<readonly string[]> {
  for (;;) {
    const rows = window.rows();
    const end = endOf(rows);
    onEach(end === -1 ? rows : rows.slice(0, end));
    if (end !== -1) return rows.slice(0, end);
    await delay(15);
  }
}

/** Where more processes want to run than there are processors, each of them waits its turn. */
function overload(): number {
  const [lastMinute = 0] = os.loadavg();
  return Math.max(1, lastMinute / os.availableParallelism());
}

/** Colours that cannot be read on black, or on white. */
const UNREADABLE = new Set(['30', '37', '90', '97', '40', '47', '100', '107', '38', '48', '33', '93']);

describe.skipIf(problem)(`the panes of tmux${problem ? ` (${problem})` : ''}`, () => {
  it.each([
    { columns: 20, rows: 12, style: 'bg=white,fg=black' },
    { columns: 20, rows: 70, style: 'bg=black,fg=white' },
    { columns: 80, rows: 40, style: 'bg=white,fg=black' },
    { columns: 200, rows: 40, style: 'bg=black,fg=white' },
  ])('show each word once from then on, soon after it came: $columns columns, $style', async (options) => {
    const { window, sentAt } = await streamed(ANSWER, options);
    const seenAt = new Map<string, number>();
    const flickered: string[] = [];
    const doubled: string[] = [];
    const shown = await watch(window, (rows) => {
      const words = wordsOf(rows);
      const now = performance.now();
      for (const word of words) if (!seenAt.has(word)) seenAt.set(word, now);
      flickered.push(...[...seenAt.keys()].filter((word) => !words.includes(word)));
      doubled.push(...words.filter((word, at) => words.indexOf(word) !== at));
    });
    expect({ flickered, doubled }).toEqual({ flickered: [], doubled: [] });
    expect([...seenAt.keys()].sort()).toEqual([...wordsOf([ANSWER])].sort());
    expect((seenAt.get('w1') ?? Number.NaN) - (sentAt.get('w1') ?? 0)).toBeLessThan(150 * overload());
    const whole = await rendered(ANSWER, options.columns);
    if (whole.length < options.rows) expect(shown).toEqual(whole);
    else expect([...wordsOf(shown)].sort()).toEqual([...wordsOf(whole)].sort());
    // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are escape sequences.
    const styles = [...window.styled().matchAll(/\u001b\[([\d;]*)m/g)].flatMap(([, all = '']) =>
      all.split(';'),
    );
    expect(styles.filter((style) => UNREADABLE.has(style))).toEqual([]);
  });

  const rows = Array.from({ length: 60 }, (_, at) => `| w${at} | ${'x'.repeat(at % 7)} |`).join('\n');
  const code = Array.from({ length: 60 }, (_, at) => `\tw${at}();`).join('\n');
  it.each([
    ['a table', `Before.\n\n| name | what |\n|---|---|\n${rows}\n`],
    ['code', `Before.\n\n\`\`\`ts\n${code}\n\`\`\`\n`],
    ['a nested list', `${rows.replaceAll(/^\| (w\d+).*$/gm, '- $1\n  - **deeper** than').trim()}\n`],
  ])('show what came when Ctrl-C interrupts %s', async (_, text) => {
    const { place, window } = await streamed(text, { columns: 40, rows: 30 });
    await expect.poll(() => wordsOf(window.rows()), { timeout: 20_000, interval: 20 }).toContain('w3');
    window.press('C-c');
    const [id = ''] = readdirSync(path.join(place.root, '.ken/conversations'));
    const log = path.join(place.root, '.ken/conversations', id, 'events.jsonl');
    const said = () => /^\{.*"type":"assistant_message".*$/m.exec(readFileSync(log, 'utf8'))?.[0] ?? '{}';
    await expect.poll(said, { timeout: 10_000 }).toContain('"finish":"interrupted"');
    const whole = await rendered(JSON.parse(said()).text, 40);
    const lines = () => window.rows().join('\n').trimEnd().split('\n');
    await expect.poll(lines, { timeout: 10_000 }).toEqual([...whole.join('\n').trimEnd().split('\n')]);
  });
});
