import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeAnswered } from './answered-conversation.ts';
import { atTerminal } from './at-terminal.ts';
import type { Sandbox } from './ken.ts';
import { sandboxHere } from './ken-here.ts';
import { ptyProblem } from './pty.ts';

function box(): Sandbox {
  const made = sandboxHere('[kb.topic.project]\ntitle = "Project"\nsubjects = "docs"\n');
  const lines = ['---', 'title: Shipping', '---', '', '# Deploy', '', 'Intro.', '', '## On Fridays', ''];
  const body = ['Ask the harbour master.', 'We never deploy ferries on a Friday.', 'Ask again on Monday.'];
  made.write('docs/deploy.md', [...lines, ...body, 'Not at night.', ''].join('\n'));
  made.write('docs/old/deploy.test.md', '# Old\n\nWe deploy ferries on each Friday.\n');
  return made;
}

const QUESTION = 'deploy ferries friday';

it('begins a hit with its file and line, then a short title, trust in words and three lines', async () => {
  expect(await box().ken(['search', '--limit', '1', '--exclude', '*.test.md', QUESTION])).toEqual({
    code: 0,
    stdout: [
      'docs/deploy.md:12  On Fridays · Deploy · Shipping',
      '  1. strong · knowledge base',
      '  Ask the harbour master.',
      '  We never deploy ferries on a Friday.',
      '  Ask again on Monday.',
      '\n',
    ].join('\n'),
    stderr: '',
  });
});

it.each(['--uri', '-v'])('%s adds the citation', async (flag) => {
  const { stdout } = await box().ken(['search', flag, '--limit', '1', '--path', 'docs/deploy.md', QUESTION]);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'docs/deploy.md:12  On Fridays · Deploy · Shipping',
    '  1. strong · knowledge base',
    '  ken://kb/project/deploy#L11-L14',
  ]);
});

it('highlights the words of the question, in any of their forms', async () => {
  const words = ['search', '-c', 'style.color=always', '--exclude', 'old/', 'deploying a ferry on friday'];
  expect((await box().ken(words)).stdout).toContain(
    '  We never \u001b[1m\u001b[31mdeploy\u001b[39m\u001b[22m \u001b[1m\u001b[31mferries\u001b[39m\u001b[22m on a ' +
      '\u001b[1m\u001b[31mFriday\u001b[39m\u001b[22m.\n',
  );
});

it('shows code in colours, with the words of the question on top', async () => {
  const made = sandboxHere('[kb.topic.code]\nsubjects = "src"\n');
  made.write('src/ferry.ts', 'export function sail(to: string) {\n  return to;\n}\n');
  const { stdout } = await made.ken(['search', '-c', 'style.color=always', 'function sail']);
  expect(stdout).toContain(
    '  \x1b[35mexport\x1b[39m \x1b[1m\x1b[31mfunction\x1b[39m\x1b[22m \x1b[1m\x1b[31msail\x1b[39m\x1b[22m(',
  );
  const plain = await made.ken(['search', 'function sail']);
  expect(plain.stdout).toContain('  export function sail(to: string) {\n');
});

it.each([
  [['--exclude', '*.test.md'], ['docs/deploy.md']],
  [['--exclude', 'docs/old/'], ['docs/deploy.md']],
  [['--exclude', 'deploy.md'], ['docs/old/deploy.test.md']],
  [['--exclude', 'docs/**'], []],
])('leaves out what %j matches', async (flags, files) => {
  const { stdout } = await box().ken(['search', '--json', ...flags, QUESTION]);
  const { hits } = JSON.parse(stdout);
  expect([...new Set(hits.map((hit: { citation: { path: string } }) => hit.citation.path))]).toEqual(files);
});

it('refuses a pattern that is none', async () => {
  expect(await box().ken(['search', '--exclude', '!docs', QUESTION])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'ken: "!docs" is not a pattern of paths.\n' +
      'hint: Write *.test.ts for such files at every level, docs/old/ for a directory, or src/**/*.snap.\n',
  });
});

it('opens a hit in the editor at its line, the file itself', async () => {
  const made = box();
  const seen = path.join(made.root, 'seen');
  made.write('../bin/vim', `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}\n`);
  const editor = path.join(made.root, '../bin/vim');
  await made.shell(`chmod +x ${editor}`);
  const environment = { VISUAL: editor };
  const open = (number: string) =>
    made.ken(['search', '--exclude', 'old/', '--limit', '1', '--open', number, QUESTION], { environment });
  expect(await open('1')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(readFileSync(seen, 'utf8')).toBe(`+12\n${path.join(made.root, 'docs/deploy.md')}\n`);
  expect(await open('7')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'ken: There is no hit 7.\nhint: The search found 1 hit.\n',
  });
});

it('says what a hit without a file is, and how to show it', async () => {
  const made = box();
  const id = '1kdvdna00ayd';
  writeAnswered(made, ['Why?', 'Gulls steal sandwiches from sleeping sailors.']);
  const words = ['search', '--in', 'conversations', 'gulls steal sandwiches'];
  const { stdout } = await made.ken(words);
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    `conversation ${id}, turn 1  ${id}`,
    '  1. strong · earlier answer',
  ]);
  expect(await made.ken([...words, '--open', '1'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `ken: Hit 1 is not a file: conversation ${id}, turn 1.\nhint: Run "ken show ken://conversation/${id}#turn-1".\n`,
  });
});

it.each([
  ['---\ntitle: "From the front"\n---\n\n# Heading\n', 'From the front'],
  ['Set by a line\n=============\n', 'Set by a line'],
  ['<h1 align="center">\n  <b>In</b> markup\n</h1>\n', 'In markup'],
  ['```sh\n# a comment\n```\n\n# After the fence #\n', 'After the fence'],
  ['```sh\n# a comment\n```\n', 'names'],
])('takes the title from %j', async (text, title) => {
  const made = sandboxHere('[kb.topic.project]\nsubjects = "docs"\n');
  made.write('docs/names.md', `${text}\nZebras graze at the quay.\n`);
  const { stdout } = await made.ken(['search', '--json', 'zebras graze quay']);
  expect(JSON.parse(stdout).hits[0].title.split(' › ')[0]).toBe(title);
});

const problem = ptyProblem();

describe.skipIf(problem)(`at a terminal${problem ? ` (${problem})` : ''}`, () => {
  it('wraps prose between words and cuts code, so that every line fits', async () => {
    const made = sandboxHere('[kb.topic.all]\nsubjects = "all"\n');
    made.write(
      'all/gulls.md',
      '# Gulls\n\nThe gulls of the northern quay steal every sandwich they can see.\n',
    );
    made.write('all/gulls.ts', 'export const gulls = ["herring gull", "kittiwake", "black-headed gull"];\n');
    const words = ['search', 'gulls', '-c', 'style.pager=never'];
    const { text } = await atTerminal(made, words, [], { columns: 40 });
    const narrow = await atTerminal(made, words, [], { columns: 20 });
    const heads = narrow.text
      .trim()
      .split('\n\n')
      .map((hit) => hit.split('\n').slice(0, 4));
    expect(heads).toEqual([
      ['all/gulls.ts:1', '  gulls · gulls.ts', '  1. strong ·', '  knowledge base'],
      ['all/gulls.md:3', '  Gulls', '  2. strong ·', '  knowledge base'],
    ]);
    expect(text.split('\n').filter((line) => /sandwich|northern|export|they/.test(line))).toEqual([
      '  export const gulls = ["herring gull",…',
      '  The gulls of the northern quay steal',
      '  every sandwich they can see.',
    ]);
  });
});
