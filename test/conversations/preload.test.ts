import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../cli/ken.ts';
import { ASKED_OK, type Talk, talk } from './talk.ts';

const TOPIC = '[kb.topic.project]\ntitle = "Project"\nsubjects = "kb"\n';
const LEARNED = 'kb.topic.project.learned';
const PATTERN = 'maintainers/*';
const PRELOADED =
  '<knowledge>\nThe following knowledge has been pre-loaded into your system prompt:\n\n<topic "Project">\n';

async function place(): Promise<Talk> {
  const made = await talk({ workspace: TOPIC });
  made.write('kb/maintainers/ada.md', '# Ada\n\nReviews the parser. \u{1f33f}\n');
  made.write('kb/maintainers/bo.md', '# Bo\r\n\r\nReviews </subject> the rest.\r\n');
  made.write('kb/other.md', '# Other\n');
  made.write('.ken/config.d/who.toml', `${LEARNED} = ["${PATTERN}"]\n`);
  mkdirSync(path.join(made.home, 'config/config.d'), { recursive: true });
  writeFileSync(path.join(made.home, 'config/config.d/mine.toml'), `${LEARNED} = ["${PATTERN}"]\n`);
  return made;
}

/** The system prompt that a model would get. */
async function system({ ken }: Talk, words: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await ken(['q', '--dry-run', '--json', ...words, 'Hi'], options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout).request.system;
}

interface Way {
  readonly words: readonly string[];
  readonly options?: RunOptions;
}

const WAYS: Readonly<Record<string, Way>> = {
  '-k': { words: ['-k', `project/${PATTERN}`] },
  '--knowledge, twice': { words: ['--knowledge', `project/${PATTERN}`, '-k', `project/${PATTERN}`] },
  '-c …learned+=': { words: ['-c', `${LEARNED}+=${PATTERN}`] },
  '-c …learned:+=': { words: ['-c', `${LEARNED}:+=["${PATTERN}"]`] },
  '-c {…}': { words: ['-c', JSON.stringify({ kb: { topic: { project: { learned: [PATTERN] } } } })] },
  'a name in .ken/config.d': { words: ['-c', 'who'] },
  'a name in the operator’s config.d': { words: ['-c', 'mine'] },
  'both names': { words: ['-c', 'who', '-c', 'mine'] },
  'a file': { words: ['-c', '@.ken/config.d/who.toml'] },
  'the environment': {
    words: [],
    options: { environment: { KEN_CFG_KB__TOPIC__PROJECT__LEARNED: `+${PATTERN}` } },
  },
  'all at once': {
    words: ['-c', 'who', '-c', `${LEARNED}+=${PATTERN}`, '-k', `project/${PATTERN}`],
    options: { environment: { KEN_CFG_KB__TOPIC__PROJECT__LEARNED: `:["${PATTERN}"]` } },
  },
};

describe('what is preloaded', () => {
  it('is the same to the byte, however it is asked for', async () => {
    const made = await place();
    const prompts = new Map<string, string>();
    for (const [name, { words, options }] of Object.entries(WAYS))
      prompts.set(name, await system(made, ['-n', ...words], options));
    const [first = ''] = prompts.values();
    expect(first).toContain(PRELOADED);
    expect(first).toContain('Reviews the parser. \u{1f33f}\n');
    expect(first).toContain('Reviews &lt;/subject> the rest.\r\n');
    for (const [name, prompt] of prompts) expect(prompt, name).toBe(first);
    expect(await system(made, ['-n'])).not.toContain('Reviews');
  });

  it('stays with the conversation that it was asked for in, and with no other', async () => {
    const made = await place();
    const expected = await system(made, ['-n', '-k', `project/${PATTERN}`]);
    for (const words of [
      ['-n', '-k', `project/${PATTERN}`, 'Hi'],
      ['-n', '-c', `${LEARNED}+=${PATTERN}`, 'Hi'],
    ]) {
      expect(await made.ken(['q', ...words])).toEqual(ASKED_OK);
      expect(await system(made, [])).toBe(expected);
    }
    expect(await made.ken(['q', '-n', 'Hi'])).toEqual(ASKED_OK);
    expect(await system(made, [])).not.toContain('Reviews');
    expect(await made.ken(['q', '-k', `project/${PATTERN}`, 'Hi'])).toEqual(ASKED_OK);
    expect(await system(made, [])).toBe(expected);
  });

  it('asked for with --once is gone with the next question', async () => {
    const made = await place();
    expect(await made.ken(['q', '-n', '--once', '-k', `project/${PATTERN}`, 'Hi'])).toEqual(ASKED_OK);
    expect(await system(made, [])).not.toContain('Reviews');
  });

  it('stays when earlier turns are told in short', async () => {
    const made = await place();
    const sent = async () => {
      const { stdout } = await made.ken(['q', '--dry-run', '--json', 'And?']);
      return JSON.parse(stdout).request;
    };
    expect(await made.ken(['q', '-n', '-k', `project/${PATTERN}`, 'one'])).toEqual(ASKED_OK);
    expect(await made.ken(['q', 'two'])).toEqual(ASKED_OK);
    const before = await sent();
    expect(before.system).toContain(PRELOADED);
    const log = made.file('events.jsonl');
    // The model of the conversation says "ok" to everything, also when it is asked for a summary.
    expect(await made.ken(['c', 'compact'])).toMatchObject({ code: 0, stdout: 'ok\n' });
    const after = await sent();
    expect(after.system).toBe(before.system);
    expect(after.messages.map(({ text }: { text?: string }) => text)).toEqual([
      'Summary of turns 1 to 1 of this conversation:\n\nok',
      'two',
      undefined,
      'And?',
    ]);
    expect(made.file('events.jsonl').startsWith(log)).toBe(true);
  });
});
