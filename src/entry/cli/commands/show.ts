import { knowledgeBaseFrom } from '../../../domain/knowledge-base/topic.ts';
import { formatCitation, requireCitation } from '../../../domain/search/citation.ts';
import { showCitation } from '../../../domain/search/show-citation.ts';
import type { Command } from '../command.ts';
import { printLong } from '../print-long.ts';

export const show: Command = {
  name: 'show',
  summary: 'print what a citation points at',
  description: 'Prints exactly the cited lines. Exit 6 when the content has changed since it was cited.',
  examples: [
    'show ken://kb/project/deploy#L3-L9',
    'show ken://entry/ports@v3',
    'show ken://conversation/1m7ezjkjqnxq#turn-2',
    'show ken://ref/topic-signals@c0ffee1/docs/guide.md#L3-L40',
  ],
  arguments: [{ name: 'uri', summary: 'a citation, as answers and searches print it', required: true }],

  async run({ arguments: [uri = ''], terminal, open, openAnywhere }) {
    const citation = requireCitation(uri);
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
};
