import path from 'node:path';
import type { App } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import { counted } from '../../../base/text.ts';
import { knowledgeBaseFrom } from '../../../domain/knowledge-base/topic.ts';
import { parseSelectors } from '../../../domain/labels/parse-selector.ts';
import type { Envelope } from '../../../domain/search/engine/hit.ts';
import { searchApp } from '../../searched-indexes.ts';
import { command, type OptionSpec } from '../command.ts';
import { LABEL_SELECTOR } from '../options.ts';
import { hitsText, placeOf } from '../render/hits.ts';
import { printLongStyled, type Terminal } from '../terminal.ts';

export const EXCLUDE = {
  flags: '--exclude <glob>',
  summary: 'leave out files that match, as in .gitignore',
  repeatable: true,
} as const satisfies OptionSpec;

export const search = command({
  name: 'search',
  summary: 'search everything that ken knows here',
  description:
    'Ranks by words and by meaning, with no model and no download. Each hit begins with its file and line, then says how ' +
    'likely it answers (strong, fair or weak), what it is and how old it is. Words in quotes must appear together; -word ' +
    'excludes a word. When nothing answers, the nearest is printed, and the exit code is 1.',
  examples: [
    'search "how do we deploy"',
    "search --in kb 'payment -refund'",
    "search --exclude '*.test.ts' --exclude vendor/ 'read the body'",
    'search --open 1 "how do we deploy"',
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
    EXCLUDE,
    LABEL_SELECTOR,
    { flags: '--limit <n>', summary: 'the maximum number of hits (10)' },
    { flags: '--budget <tokens>', summary: 'print whole chunks, up to this many estimated tokens' },
    { flags: '--explain', summary: 'explain the score of each hit' },
    { flags: '--uri', summary: 'print the citation of each hit, which "ken show" opens' },
    { flags: '--open <n>', summary: 'open hit number n in your editor, at its line' },
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
      exclude: options.texts('exclude'),
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
    const opened = options.count('open', 1);
    if (opened !== undefined) await openHit(app, envelope, opened);
    else if (terminal.json) terminal.printJson(envelope);
    else {
      const uris = options.has('uri') || terminal.verbose;
      await printEnvelope(terminal, app, envelope, { question: question.text, uris });
    }
    return envelope.outcome === 'answers' ? 0 : 1;
  },
});

/** Long lists go to the pager. */
export async function printEnvelope(
  terminal: Terminal,
  app: Pick<App, 'pager' | 'clock'>,
  { outcome, hits, near_misses: near }: Envelope,
  options: { readonly question: string; readonly uris: boolean },
): Promise<void> {
  if (outcome === 'nothing') return terminal.note('Nothing was found.');
  if (outcome === 'nearest') terminal.note('Nothing answers this. Nearest:');
  const shown = outcome === 'answers' ? hits : near;
  await printLongStyled(terminal, app, hitsText(terminal, shown, { ...options, now: app.clock.now() }));
}

/** Opens a subject in place; a file of a reference as a copy, since a changed one would no longer match its lock. */
async function openHit(app: App, { hits, near_misses: near }: Envelope, number: number): Promise<void> {
  const found = hits.length > 0 ? hits : near;
  const hit = found[number - 1];
  if (!hit) {
    throw new Fault('cli/usage', `There is no hit ${number}.`, {
      hint: found.length > 0 ? `The search found ${counted(found.length, 'hit')}.` : 'Nothing was found.',
    });
  }
  const { path: file, lines, uri } = hit.citation;
  const line = hit.line ?? lines?.first ?? 1;
  if (hit.kind === 'subject' && file !== undefined && app.workspace)
    return app.editor.open(path.resolve(app.workspace.root, file), line);
  if (hit.kind !== 'chunk' || file === undefined) {
    throw new Fault('cli/usage', `Hit ${number} is not a file: ${placeOf(hit)}.`, {
      hint: `Run "ken show ${uri}".`,
    });
  }
  const { requireCitation } = await import('../../../domain/search/citations/citation.ts');
  const { showCitation } = await import('../../../domain/search/citations/show-citation.ts');
  const { lines: _, ...whole } = requireCitation(uri);
  const { text } = await showCitation(app, knowledgeBaseFrom(app.config.kb), whole);
  await app.editor.edit(text, path.basename(file), line);
}
