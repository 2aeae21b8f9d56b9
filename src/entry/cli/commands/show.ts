import { knowledgeBaseFrom } from '../../../domain/knowledge-base/topic.ts';
import { citedWith, formatCitation, requireCitation } from '../../../domain/search/citations/citation.ts';
import { showCitation } from '../../../domain/search/citations/show-citation.ts';
import { command } from '../command.ts';
import { printLong } from '../terminal.ts';

export const show = command({
  name: 'show',
  summary: 'print the text at a citation',
  description:
    'Prints exactly the cited lines. Exit 6 when the content has changed since it was cited. With --sha256 every ' +
    'change is noticed; without it only one that shows in the version of the citation or, for a subject, in the ' +
    'last index.',
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
    const shown = await showCitation(app, knowledgeBaseFrom(app.config.kb), citation);
    if (terminal.json) {
      const { text, isChanged, path } = shown;
      terminal.printJson({ uri: formatCitation(citation), path: path ?? null, changed: isChanged, text });
    } else await printLong(terminal, app, `${shown.text}\n`);
    if (!shown.isChanged) return 0;
    const how = shown.change ?? 'not all of the lines are there';
    terminal.warn(`the content has changed since this was cited: ${how}.`);
    return 6;
  },
});
