import { singleLine } from '../../../base/terminal-text.ts';
import { counted } from '../../../base/text.ts';
import { parseSelectors } from '../../../domain/labels/parse-selector.ts';
import type { Envelope, Hit } from '../../../domain/search/engine/hit.ts';
import type { Explanation, WordPart } from '../../../domain/search/ranking/explain-hit.ts';
import type { ScorePart } from '../../../domain/search/ranking/fuse-scores.ts';
import type { HitSignals } from '../../../domain/search/ranking/hit-signals.ts';
import { strengthOf } from '../../../domain/search/ranking/outcome.ts';
import { searchApp } from '../../searched-indexes.ts';
import { command } from '../command.ts';
import { LABEL_SELECTOR } from '../options.ts';
import type { Terminal } from '../terminal.ts';

export const search = command({
  name: 'search',
  summary: 'search everything that ken knows here',
  description:
    'Ranks by words and by meaning, with no model and no download. Each hit has a citation that "ken show" opens. ' +
    'Words in quotes must appear together; -word excludes a word. When nothing answers, the nearest is printed, and the exit code is 1.',
  examples: [
    'search "how do we deploy"',
    "search --in kb 'payment -refund'",
    'search --budget 2000 capacity --json',
  ],
  arguments: [{ name: 'question', summary: 'words or a question', required: true, variadic: true }],
  options: [
    {
      flags: '--in <sources>',
      summary: 'only in these sources, separated by commas: kb, refs, ledger, conversations',
    },
    { flags: '--topic <id>', summary: 'only in this topic', complete: 'topics' },
    {
      flags: '--path <path>',
      summary: 'only this file, or files below this directory/',
      repeatable: true,
      complete: 'files',
    },
    LABEL_SELECTOR,
    { flags: '--limit <n>', summary: 'the maximum number of hits (10)' },
    { flags: '--budget <tokens>', summary: 'print whole chunks, up to this many estimated tokens' },
    { flags: '--explain', summary: 'explain the score of each hit' },
  ],

  async run({ arguments: words, options, terminal, signal, open, openAnywhere }) {
    const sources = options
      .text('in')
      ?.split(',')
      .map((name) => name.trim());
    const question = {
      text: words.join(' '),
      sources,
      limit: options.count('limit', 1) ?? 10,
      topic: options.text('topic'),
      paths: options.texts('path'),
      labels: parseSelectors(options.texts('label')),
      explain: options.has('explain'),
      budget: options.count('budget', 1),
    };
    const isAnywhere = sources?.every((name) => name === 'refs');
    const app = await (isAnywhere ? openAnywhere() : open());
    const envelope = await searchApp(app, question, signal);
    for (const { in: name, message, hint } of envelope.unavailable ?? []) {
      terminal.warn(`${name} could not be searched: ${message}`);
      if (hint !== undefined) terminal.note(`hint: ${hint}`);
    }
    if (terminal.json) terminal.printJson(envelope);
    else printEnvelope(terminal, envelope);
    return envelope.outcome === 'answers' ? 0 : 1;
  },
});

export function printEnvelope(terminal: Terminal, { outcome, hits, near_misses: near }: Envelope): void {
  if (outcome === 'nothing') terminal.note('Nothing was found.');
  if (outcome === 'nearest') terminal.note('Nothing answers this. Nearest:');
  for (const hit of outcome === 'answers' ? hits : near) terminal.print(`${hitText(hit)}\n`);
}

function hitText({ title, snippet, text, citation, score, trust, freshness, explain }: Hit): string {
  const since = freshness.stale_since === undefined ? '' : ` since ${freshness.stale_since.slice(0, 10)}`;
  const lines = [
    `${singleLine(title)}  [${strengthOf(score)}, ${trust.tier}${since}]`,
    citation.uri,
    (text ?? snippet).trimEnd().replace(/^(?=.)/gm, '  '),
  ];
  return [...lines, ...(explain ? explained(explain).map((line) => `  ${line}`) : [])].join('\n');
}

/** The score as a sum, then the part of each word of the question. */
function explained({ score, lexical, dense, words, chance, signals }: Explanation): string[] {
  const part = ({ normalised, weight }: ScorePart) => `${normalised.toFixed(2)} × ${weight.toFixed(2)}`;
  const found = words.filter((word) => word.part > 0);
  const missing = words.filter((word) => word.part === 0).map(({ word }) => word);
  return [
    chanceText(chance, signals),
    `ranked by ${score.toFixed(2)} = words ${part(lexical)} + meaning ${part(dense)}`,
    ...(found.length > 0 ? [`words: ${found.map(wordText).join(', ')}`] : []),
    ...(missing.length > 0 ? [`not here: ${missing.join(', ')}`] : []),
  ];
}

function chanceText(chance: number, { information, together, names, dense }: HitSignals): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const parts = [
    `${percent(information)} of the question`,
    `${percent(together)} in one place`,
    `${percent(names)} in names`,
    ...(dense ? [`cosine ${dense.cosine.toFixed(2)}`] : []),
  ];
  return `chance ${chance.toFixed(2)}: has ${parts.join(', ')}`;
}

function wordText({ word, takenFor, part, chunkCount }: WordPart): string {
  const meant = takenFor ? ` (taken for ${takenFor.join(', ')})` : '';
  return `${word}${meant} ${part.toFixed(2)} (in ${counted(chunkCount, 'chunk')})`;
}
