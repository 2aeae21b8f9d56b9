import type { Json } from '../../base/json.ts';
import { singleLine, truncateText } from '../../base/terminal-text.ts';
import type { Presence } from '../../domain/approvals/operator/operator-presence.ts';
import { isAnswer, type Questioner } from '../../domain/tools/questioner.ts';
import type { AnswerType, ToolQuestion } from '../../domain/tools/tool.ts';
import { framedRows } from './framed-text.ts';
import { discardTypedAhead, type LineStreams, oneAtATime, readLine } from './read-line.ts';

/** Asks at the terminal, when the operator is there. */
export function terminalQuestioner(
  streams: LineStreams,
  operator: { presence(purpose: 'question'): Promise<Presence> },
): Questioner {
  return {
    isThere: async () => (await operator.presence('question')).isPresent,
    ask: (asker, question, signal) =>
      oneAtATime(streams.input, async () => {
        signal.throwIfAborted();
        print(streams, asker, question);
        await discardTypedAhead(streams, signal);
        return answerTo(streams, question, signal);
      }),
  };
}

function print({ output }: LineStreams, asker: string, { text, answerType }: ToolQuestion): void {
  const options = typeof answerType === 'string' ? [] : answerType.select.options;
  const marks = marksFor(options);
  const lines = [text, ...options.map((option, at) => `${marks[at]}) ${singleLine(option)}`)];
  const rows = framedRows(lines.join('\n'), output.columns || 80);
  output.write(`${singleLine(asker)} asks:\n${rows.join('\n')}\n`);
}

async function answerTo(
  streams: LineStreams,
  question: ToolQuestion,
  signal: AbortSignal,
): Promise<Json | undefined> {
  const { answerType } = question;
  const preset =
    question.default !== undefined && isAnswer(answerType, question.default) ? question.default : undefined;
  const shown = preset === undefined ? '' : ` [${said(preset)}]`;
  for (;;) {
    const typed = await readLine(streams, `${invitation(answerType)}${shown}: `, signal);
    if (typed === undefined) return undefined;
    if (typed.trim() === '' && preset !== undefined) return preset;
    const answer = read(answerType, typed.trim());
    if (answer !== undefined) return answer;
    streams.output.write(`${correction(answerType)}; Ctrl-D gives no answer.\n`);
  }
}

function said(answer: Json): string {
  if (typeof answer === 'boolean') return answer ? 'yes' : 'no';
  return truncateText(singleLine(String(answer)), 40);
}

function invitation(answerType: AnswerType): string {
  if (answerType === 'boolean') return 'yes / no';
  return answerType === 'text' ? 'Answer' : 'Choose';
}

function correction(answerType: AnswerType): string {
  if (answerType === 'boolean') return 'Type yes or no';
  return answerType === 'text' ? 'Type something' : 'Type one of the marks, or the words after it';
}

function read(answerType: AnswerType, typed: string): Json | undefined {
  if (answerType === 'text') return typed === '' ? undefined : typed;
  const word = typed.toLowerCase();
  if (answerType === 'boolean') return BOOLEANS.get(word);
  const { options } = answerType.select;
  const marked = options[marksFor(options).indexOf(word)];
  return options.find((option) => option === typed || singleLine(option) === typed) ?? marked;
}

const BOOLEANS = new Map([
  ['y', true],
  ['yes', true],
  ['n', false],
  ['no', false],
]);

/** Marks of the options: numbers, or letters where an option could be taken for the number of another. */
function marksFor(options: readonly string[]): string[] {
  const isNumber = options.some((option) => /^\d+$/.test(option.trim()));
  return options.map((_, at) => (isNumber ? letters(at) : String(at + 1)));
}

/** a … z, aa, ab, … */
function letters(at: number): string {
  const last = String.fromCharCode(97 + (at % 26));
  return at < 26 ? last : letters(Math.floor(at / 26) - 1) + last;
}
