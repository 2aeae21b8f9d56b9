import { expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { isAnswer, type Questioner } from './questioner.ts';
import type { AnswerType, ToolQuestion } from './tool.ts';

const never = new AbortController().signal;

function question(answerType: AnswerType): ToolQuestion {
  return { id: 'q', text: 'Which?', answerType };
}

const CASES: readonly { readonly question: ToolQuestion; readonly said: Json }[] = [
  { question: question('boolean'), said: true },
  { question: question('boolean'), said: false },
  { question: question('text'), said: 'some words' },
  { question: question({ select: { options: ['staging', 'production'] } }), said: 'production' },
];

/** The promises of every questioner. `open` makes one whose person types this, or ends the input. */
export function itAsksQuestions(name: string, open: (said: Json | undefined) => Questioner): void {
  it.each(CASES)(`${name}: answers $said to a question of type $question.answerType`, async (one) => {
    const answer = await open(one.said).ask('a tool', one.question, never);
    expect(answer).toBe(one.said);
    expect(isAnswer(one.question.answerType, one.said)).toBe(true);
  });

  it(`${name}: has no answer when the person ends the input`, async () => {
    for (const { question: asked } of CASES) {
      expect(await open(undefined).ask('a tool', asked, never)).toBeUndefined();
    }
  });

  it(`${name}: asks nothing any more when it is stopped`, async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(open('x').ask('a tool', question('text'), stopped)).rejects.toThrow('stopped');
  });
}
