import type { App } from '../../../app.ts';
import { neutralise } from '../../../base/terminal-text.ts';
import { offeredKnowledge } from '../../../domain/knowledge-base/topic.ts';
import { citedWith, formatCitation, requireCitation } from '../../../domain/search/citations/citation.ts';
import type { CitedText } from '../../../domain/search/citations/compared-with.ts';
import { showCitation } from '../../../domain/search/citations/show-citation.ts';
import { command } from '../command.ts';
import { coloursFor, printLong, printLongStyled, type Terminal } from '../terminal.ts';
import { styler } from '../terminal-abilities.ts';

export const show = command({
  name: 'show',
  summary: 'print the text at a citation',
  description:
    'Prints exactly the cited lines. Exit 6 when the content has changed since it was cited. With --sha256, ken ' +
    'notices every change. Without it, ken compares the version in the citation, or, for a subject, the text that was ' +
    'last indexed.',
  examples: [
    'show ken://kb/project/deploy#L3-L9',
    'show ken://kb/project/deploy#L3-L9 --sha256 9f86d081884c7d65',
    'show ken://entry/ports@v3',
    'show ken://conversation/1m7ezjkjqnxq#turn-2',
    'show ken://ref/topic-signals@c0ffee1/docs/guide.md#L3-L40',
  ],
  arguments: [{ name: 'uri', summary: 'a citation, as answers and searches print it', required: true }],
  options: [
    {
      flags: '--sha256 <digits>',
      summary: 'the hash of the cited text: citation.sha256 of the hit, or its first 12 digits',
    },
  ],

  async run({ arguments: [uri = ''], options, terminal, open, openAnywhere }) {
    const citation = citedWith(requireCitation(uri), options.text('sha256'));
    const app = await (citation.kind === 'reference' ? openAnywhere() : open());
    const shown = await showCitation(app, offeredKnowledge(app), citation);
    if (terminal.json) {
      const { text, isChanged, path } = shown;
      terminal.printJson({ uri: formatCitation(citation), path: path ?? null, changed: isChanged, text });
    } else await printText(terminal, app, shown);
    if (!shown.isChanged) return 0;
    const how = shown.change ?? 'not all of the lines are there';
    terminal.warn(`the content has changed since this was cited: ${how}.`);
    return 6;
  },
});

async function printText(terminal: Terminal, app: App, { text, path = '' }: CitedText): Promise<void> {
  const safe = terminal.isTerminal ? neutralise(text) : text;
  const coloured = (await coloursFor(terminal, app))?.(path, safe);
  if (!coloured) return printLong(terminal, app, `${text}\n`);
  const style = styler(true);
  await printLongStyled(terminal, app, coloured.map((line) => `${line(style)}\n`).join(''));
}
