import type { Command } from '../command.ts';
import { benchSearch } from './bench/search.ts';

export const bench: Command = {
  name: 'bench',
  summary: 'measure how well ken does with your own questions',
  examples: ['bench search questions.jsonl'],
  subcommands: [benchSearch],
};
