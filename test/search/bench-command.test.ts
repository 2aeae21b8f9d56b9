import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';

function box(questions: string): Sandbox {
  const made = sandboxHere('[kb.topic.project]\nsubjects = "kb"\n');
  made.write(
    'kb/deploy.md',
    '# Deploy\n\nNobody deploys on Fridays.\n\n## Rolling back\n\nRestore the last tag.\n',
  );
  made.write('kb/tickets.md', '# Tickets\n\nA ticket holds a seat for twelve minutes.\n');
  made.write('questions.jsonl', questions);
  return made;
}

const QUESTIONS = [
  '{"question": "deploying on a friday", "expected": "ken://kb/project/deploy"}',
  '',
  '{"question": "how are tags restored", "expected": ["ken://kb/project/deploy#L7", "kb/tickets.md"]}',
].join('\r\n');

it('prints a row for each ranking', async () => {
  const { code, stdout, stderr } = await box(QUESTIONS).ken(['bench', 'search', 'questions.jsonl']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: '2 questions; what was expected is always among the first ten.\n',
  });
  const [titles, ...rows] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/\s{2,}/));
  expect(titles).toEqual([
    'ranking',
    'nDCG@10',
    'recall@10',
    'MRR@10',
    'ms p50',
    'ms p95',
    'answers / nearest / nothing',
  ]);
  expect(rows.map(([name]) => name)).toEqual(['grep', 'BM25', 'hybrid']);
  expect(rows[1]?.slice(1, 4)).toEqual(['0.807', '0.750', '1.000']);
  for (const row of rows) expect(row.slice(4, 6).every((cell) => /^\d+\.\d$/.test(cell))).toBe(true);
});

it('tells the place of what was expected for each question, and what is nowhere', async () => {
  const asked = `${QUESTIONS}\n{"question": "tickets", "expected": "ken://kb/project/gone"}\n`;
  const { code, stdout, stderr } = await box(asked).ken(['bench', 'search', 'questions.jsonl', '--json']);
  expect({ code, stderr }).toEqual({
    code: 6,
    stderr: 'warning: questions.jsonl:4: nothing that is searched is at ken://kb/project/gone.\n',
  });
  const { questions, unknown, rankings } = JSON.parse(stdout);
  expect(unknown).toEqual([{ line: 4, expected: 'ken://kb/project/gone' }]);
  expect(questions[0]).toEqual({ question: 'deploying on a friday', ranks: { grep: 1, bm25: 1, hybrid: 1 } });
  expect(questions[2].ranks).toEqual({ grep: null, bm25: null, hybrid: null });
  expect(rankings.hybrid.recall_10).toBeLessThan(1);
});

it('reads questions from standard input, and searches only where it is told', async () => {
  const made = box('');
  const input = '{"question": "deploying on a friday", "expected": "kb/deploy.md"}\n';
  const { code, stdout } = await made.ken(['bench', 'search', '-', '--in', 'ledger', '--json'], { input });
  expect({ code, unknown: JSON.parse(stdout).unknown }).toEqual({
    code: 6,
    unknown: [{ line: 1, expected: 'kb/deploy.md' }],
  });
});

const BAD: [string, string, string][] = [
  ['no JSON', '{"question": "x", "expected": "y"}\n{oops', 'questions.jsonl:2: it is not JSON.'],
  ['no object', '[]', 'questions.jsonl:1: it is not an object.'],
  ['a typo', '{"questions": "x"}', 'questions.jsonl:1: there is no key "questions". Did you mean question?'],
  ['no question', '{"expected": "y"}', 'questions.jsonl:1: "question" must be a text that is not empty.'],
  [
    'nothing expected',
    '{"question": "x"}',
    'questions.jsonl:1: "expected" must be a citation or a path, or a list of them.',
  ],
  ['an empty list', '{"question": "x", "expected": []}', 'questions.jsonl:1: "expected" is empty.'],
  [
    'a broken citation',
    '{"question": "x", "expected": "ken://moon/x"}',
    'questions.jsonl:1: "ken://moon/x" is not a citation.',
  ],
  ['nothing at all', '\n \n', 'questions.jsonl has no questions.'],
];

it.each(BAD)('says which line is wrong: %s', async (_, questions, message) => {
  const { code, stdout, stderr } = await box(questions).ken(['bench', 'search', 'questions.jsonl']);
  const hint = 'Write lines like {"question": "how do we deploy", "expected": "ken://kb/project/deploy"}.';
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `ken: ${message}\nhint: ${hint}\n`,
  });
});

it('counts a single question as one', async () => {
  const question = '{"question": "deploying on a friday", "expected": "ken://kb/project/deploy"}';
  const { code, stderr } = await box(question).ken(['bench', 'search', 'questions.jsonl']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: '1 question; what was expected is always among the first ten.\n',
  });
});

it('says which of the questions from standard input it found nothing for', async () => {
  const question = '{"question": "deploying on a friday", "expected": "gone.md"}';
  const { code, stderr } = await box('').ken(['bench', 'search', '-'], { input: question });
  expect({ code, stderr }).toEqual({
    code: 6,
    stderr:
      '1 question; nothing that was expected is among the first ten.\n' +
      'warning: standard input:1: nothing that is searched is at gone.md.\n',
  });
});

it('needs a file that is there, and sources that are', async () => {
  const made = box(QUESTIONS);
  symlinkSync('round.jsonl', path.join(made.root, 'round.jsonl'));
  for (const name of ['gone.jsonl', 'questions.jsonl/gone'])
    expect(await made.ken(['bench', 'search', name])).toEqual({
      code: 3,
      stdout: '',
      stderr: `ken: There is no file ${made.root}/${name}.\n`,
    });
  expect(await made.ken(['bench', 'search', 'round.jsonl'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `ken: ${made.root}/round.jsonl cannot be read.\n`,
  });
  expect(await made.ken(['bench', 'search', 'questions.jsonl', '--in', 'kbb'])).toMatchObject({ code: 2 });
});

it('measures nothing without the embedder that is configured', async () => {
  const words = ['-c', 'search.embedder=bogus', 'bench', 'search', 'questions.jsonl'];
  expect(await box(QUESTIONS).ken(words)).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'ken: There is no embedder "bogus".\nhint: There are builtin, ollama/…, openai/… and transformers/….\n',
  });
});
