import { Fault } from '../../../base/fault.ts';
import { isJsonList, isJsonObject, type Json, parseJson } from '../../../base/json.ts';
import { didYouMean } from '../../../base/similar.ts';
import { type Citation, parseCitation } from '../citations/citation.ts';

export interface ExpectingQuestion {
  /** Line in its file, from 1. */
  readonly line: number;
  readonly question: string;
  readonly expected: readonly Expected[];
}

export interface Expected {
  readonly text: string;
  /** Absent for a path. */
  readonly citation?: Citation;
}

const KEYS = ['question', 'expected'];

/** One object a line: `{"question": …, "expected": a citation or a path, or a list of them}`. Skips blank lines. */
export function readQuestions(text: string, file: string): ExpectingQuestion[] {
  const questions = text.split('\n').flatMap((content, at) => {
    if (content.trim() === '') return [];
    const problem = (what: string) =>
      new Fault('search/bad-questions', `${file}:${at + 1}: ${what}`, { hint: HINT });
    return [{ line: at + 1, ...questionIn(parseJson(content), problem) }];
  });
  if (questions.length > 0) return questions;
  throw new Fault('search/bad-questions', `${file} has no questions.`, { hint: HINT });
}

const HINT = 'Write lines like {"question": "how do we deploy", "expected": "ken://kb/project/deploy"}.';

function questionIn(
  value: Json | undefined,
  problem: (what: string) => Fault,
): Omit<ExpectingQuestion, 'line'> {
  if (value === undefined) throw problem('it is not JSON.');
  if (!isJsonObject(value)) throw problem('it is not an object.');
  const stray = Object.keys(value).find((key) => !KEYS.includes(key));
  if (stray !== undefined)
    throw problem(`there is no key "${stray}". ${didYouMean(stray, KEYS) ?? ''}`.trim());
  const { question, expected } = value;
  if (typeof question !== 'string' || question.trim() === '')
    throw problem('"question" must be a text that is not empty.');
  const texts = isJsonList(expected) ? expected : [expected];
  if (texts.length === 0) throw problem('"expected" is empty.');
  return { question, expected: texts.map((each) => expectedIn(each, problem)) };
}

function expectedIn(value: Json | undefined, problem: (what: string) => Fault): Expected {
  if (typeof value !== 'string' || value.trim() === '')
    throw problem('"expected" must be a citation or a path, or a list of them.');
  if (!value.startsWith('ken://')) return { text: value };
  const citation = parseCitation(value);
  if (!citation) throw problem(`"${value}" is not a citation.`);
  return { text: value, citation };
}
