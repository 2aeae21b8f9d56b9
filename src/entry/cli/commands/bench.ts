import { command } from '../command.ts';
import { benchSearch } from './bench/search.ts';

export const bench = command({
  name: 'bench',
  summary: 'measure how well ken does with your own questions',
  examples: ['bench search questions.jsonl'],
  subcommands: [benchSearch],
});
