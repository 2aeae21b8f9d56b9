import { counted } from '../../../base/text.ts';
import { searchedBy, wantedIndexes } from '../../../domain/search/engine/search-everything.ts';
import {
  type Measured,
  type Measurement,
  measureQuestions,
  RANKINGS,
  type RankingName,
} from '../../../domain/search/quality/measure-questions.ts';
import { readQuestions } from '../../../domain/search/quality/read-questions.ts';
import { searchedIndexes } from '../../searched-indexes.ts';
import { command } from '../command.ts';
import { readContent } from '../read-content.ts';
import { type Column, table } from '../render/table.ts';
import type { Terminal } from '../terminal.ts';

const benchSearch = command({
  name: 'search',
  summary: 'compare grep, word search and hybrid search on your questions',
  description:
    'Each line of the file is {"question": …, "expected": …}: a citation or a path, or a list of them. Prints how well ' +
    'each ranking finds the expected results (nDCG@10, recall@10, MRR@10; 1 is best) and how long it takes.',
  examples: ['bench search questions.jsonl', 'bench search --in kb,refs questions.jsonl --json'],
  arguments: [
    { name: 'file', summary: 'questions, or - for standard input', required: true, complete: 'files' },
  ],
  options: [
    {
      flags: '--in <sources>',
      summary: 'only in these sources, separated by commas: kb, refs, ledger, conversations',
    },
  ],

  async run({ arguments: [file = ''], options, directory, terminal, signal, open }) {
    const names = options
      .text('in')
      ?.split(',')
      .map((name) => name.trim());
    const text = new TextDecoder().decode(await readContent(file, { directory, terminal }));
    const name = file === '-' ? 'standard input' : file;
    const questions = readQuestions(text, name);
    const app = await open({ isAboutEmbedder: true });
    // Figures of words alone would pass for those of words and meaning.
    if (app.config.search.weights.dense !== 0) await app.embedder.identity();
    const indexes = wantedIndexes(await searchedIndexes(app), names);
    for (const { sources, sync } of indexes) {
      const names = sources.map(({ name }) => name);
      // Figures without one of the parts would pass for those of all parts.
      for (const { fault } of await sync(names, signal)) throw fault;
    }
    const ports = {
      stores: indexes.map(({ store }) => store),
      embedder: app.embedder,
      isWantedGroup: searchedBy(indexes),
      elapsed: () => performance.now(),
    };
    const measured = await measureQuestions(ports, questions, signal);
    if (terminal.json) terminal.printJson(measurementJson(measured));
    else printMeasurement(terminal, measured);
    for (const { line, expected } of measured.unknown)
      terminal.warn(`${name}:${line}: nothing that is searched is at ${expected}.`);
    return measured.unknown.length > 0 ? 6 : 0;
  },
});

const TITLES: Readonly<Record<RankingName, string>> = { grep: 'grep', bm25: 'BM25', hybrid: 'hybrid' };

const COLUMNS: readonly Column[] = [
  { title: 'ranking' },
  { title: 'nDCG@10', align: 'right' },
  { title: 'recall@10', align: 'right' },
  { title: 'MRR@10', align: 'right' },
  { title: 'ms p50', align: 'right' },
  { title: 'ms p95', align: 'right' },
  { title: 'answers / nearest / nothing', align: 'right' },
];

function printMeasurement(terminal: Terminal, { rankings, questions }: Measurement): void {
  const rows = RANKINGS.map((name) => [TITLES[name], ...cells(rankings[name])]);
  terminal.printStyled(table(terminal, COLUMNS, rows));
  const missed = questions.filter(({ ranks }) => (ranks.hybrid ?? 11) > 10).length;
  terminal.note(`${counted(questions.length, 'question')}; ${missedText(missed, questions.length)}`);
}

function missedText(missed: number, asked: number): string {
  if (missed === 0) return 'what was expected is always among the first ten.';
  const where = missed === asked ? '' : `for ${missed} of them `;
  return `${where}nothing that was expected is among the first ten.`;
}

function cells({ ndcg10, recall10, mrr10, p50, p95, outcomes }: Measured): string[] {
  const share = (value: number) => value.toFixed(3);
  const rest = outcomes
    ? [outcomes.answers, outcomes.nearest, outcomes.nothing].map((part) => `${Math.round(part * 100)} %`)
    : ['–'];
  return [share(ndcg10), share(recall10), share(mrr10), p50.toFixed(1), p95.toFixed(1), rest.join(' / ')];
}

function measurementJson({ rankings, questions, unknown }: Measurement) {
  return {
    rankings: Object.fromEntries(RANKINGS.map((name) => [name, measuredJson(rankings[name])])),
    questions: questions.map(({ question, ranks }) => ({
      question,
      ranks: Object.fromEntries(RANKINGS.map((name) => [name, ranks[name] ?? null])),
    })),
    unknown,
  };
}

function measuredJson({ ndcg10, recall10, mrr10, p50, p95, outcomes }: Measured) {
  const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
  return {
    ndcg_10: rounded(ndcg10),
    recall_10: rounded(recall10),
    mrr_10: rounded(mrr10),
    ms_p50: rounded(p50),
    ms_p95: rounded(p95),
    abstained: outcomes ? rounded(1 - outcomes.answers) : null,
    outcomes: outcomes
      ? {
          answers: rounded(outcomes.answers),
          nearest: rounded(outcomes.nearest),
          nothing: rounded(outcomes.nothing),
        }
      : null,
  };
}

export const bench = command({
  name: 'bench',
  summary: 'measure how well ken does with your own questions',
  examples: ['bench search questions.jsonl'],
  subcommands: [benchSearch],
});
