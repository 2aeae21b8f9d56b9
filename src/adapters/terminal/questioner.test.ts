import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { itAsksQuestions } from '../../domain/tools/questioner.contract.ts';
import type { ToolQuestion } from '../../domain/tools/tool.ts';
import { terminalQuestioner } from './questioner.ts';

/** Somebody who types one of these lines after each invitation; `undefined` is Ctrl-D. */
function person(...lines: readonly (string | undefined)[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 60 });
  const left = [...lines];
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (!text.endsWith(': ') || left.length === 0) return;
    const line = left.shift();
    input.write(line === undefined ? '\x04' : `${line}\r`);
  });
  // Moves of the cursor are the terminal's business; what it says is ours.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out.
  return { streams: { input, output }, shown: () => shown.replace(/\u001b\[[0-9]*[A-Z]|\r/g, '') };
}

function spoken(said: Json | undefined): string | undefined {
  if (typeof said === 'boolean') return said ? 'y' : 'no';
  return said === undefined ? undefined : String(said);
}

const present = { presence: async () => ({ isPresent: true }) as const };

itAsksQuestions('terminal', (said) => terminalQuestioner(person(spoken(said)).streams, present));

const never = new AbortController().signal;

async function asked(question: Omit<ToolQuestion, 'id'>, ...lines: readonly (string | undefined)[]) {
  const { streams, shown } = person(...lines);
  const answer = await terminalQuestioner(streams, present).ask('deploy', { id: 'q', ...question }, never);
  return { answer, shown: shown() };
}

it('insists on an answer that fits', async () => {
  const { answer, shown } = await asked({ text: 'Really?', answerType: 'boolean' }, 'perhaps', '', ' YES ');
  expect(answer).toBe(true);
  expect(shown.split('\n')).toEqual([
    'deploy asks:',
    '│ Really?',
    'yes / no: perhaps',
    'Type yes or no; Ctrl-D gives no answer.',
    'yes / no: ',
    'Type yes or no; Ctrl-D gives no answer.',
    'yes / no:  YES ',
    '',
  ]);
});

it.each([
  ['2', 'production'],
  ['production', 'production'],
  ['', 'staging'],
])('takes %j for an option', async (typed, expected) => {
  const answerType = { select: { options: ['staging', 'production'] } };
  const { answer, shown } = await asked({ text: 'Where?', answerType, default: 'staging' }, typed);
  expect(answer).toBe(expected);
  expect(shown).toBe(`deploy asks:\n│ Where?\n│ 1) staging\n│ 2) production\nChoose [staging]: ${typed}\n`);
});

it('marks options that are numbers with letters', async () => {
  const answerType = { select: { options: ['2', '1'] } };
  expect((await asked({ text: 'How many?', answerType }, '1')).answer).toBe('1');
  const { answer, shown } = await asked({ text: 'How many?', answerType }, '3', 'A');
  expect(answer).toBe('2');
  expect(shown).toContain('│ a) 2\n│ b) 1\nChoose: 3\nType one of the marks');
});

it('shows what a tool says inert and in a frame, and ignores a default that does not fit', async () => {
  const { answer, shown } = await asked(
    { text: 'Name?\u001b[2J\nyes / no: yes\nken: all is well', answerType: 'text', default: true },
    '',
    'ada',
  );
  expect(answer).toBe('ada');
  expect(shown).toBe(
    [
      'deploy asks:',
      '│ Name?\\u{1B}[2J',
      '│ yes / no: yes',
      '│ ken: all is well',
      'Answer: ',
      'Type something; Ctrl-D gives no answer.',
      'Answer: ada',
      '',
    ].join('\n'),
  );
});

it('asks one question at a time', async () => {
  const { streams, shown } = person('one', 'two');
  const { ask } = terminalQuestioner(streams, present);
  const text = (text: string): ToolQuestion => ({ id: text, text, answerType: 'text' });
  const answers = await Promise.all([ask('a', text('First?'), never), ask('b', text('Second?'), never)]);
  expect(answers).toEqual(['one', 'two']);
  expect(shown()).toBe('a asks:\n│ First?\nAnswer: one\nb asks:\n│ Second?\nAnswer: two\n');
});

it('goes on with the next question after one was broken off', async () => {
  const { streams } = person('\x03', 'two');
  const { ask } = terminalQuestioner(streams, present);
  const question: ToolQuestion = { id: 'q', text: 'Well?', answerType: 'text' };
  const first = ask('a', question, never);
  const second = ask('a', question, never);
  await expect(first).rejects.toMatchObject({ code: 'process/interrupted' });
  expect(await second).toBe('two');
});

it('is there when the operator is', async () => {
  const { streams } = person();
  expect(await terminalQuestioner(streams, present).isThere()).toBe(true);
  const absent = { presence: async () => ({ isPresent: false, why: 'nobody', hint: '' }) as const };
  expect(await terminalQuestioner(streams, absent).isThere()).toBe(false);
});

it('cuts a long question for 80 columns where the terminal does not tell its width', async () => {
  const { streams, shown } = person('yes');
  const output = Object.assign(streams.output, { columns: 0 });
  const question: ToolQuestion = { id: 'q', text: 'x'.repeat(100), answerType: 'boolean' };
  await terminalQuestioner({ ...streams, output }, present).ask('deploy', question, never);
  expect(shown().split('\n').slice(1, 3)).toEqual([`│ ${'x'.repeat(77)}`, `┆ ${'x'.repeat(23)}`]);
});
