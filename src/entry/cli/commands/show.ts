import { knowledgeBaseFrom } from '../../../domain/knowledge-base/topic.ts';
import { formatCitation, requireCitation } from '../../../domain/search/citation.ts';
import { showCitation } from '../../../domain/search/show-citation.ts';
import type { Command } from '../command.ts';

export const show: Command = {
  name: 'show',
  summary: 'print what a citation points at',
  description: 'Prints exactly the cited lines. Exit 6 when the content has changed since it was cited.',
  examples: ['show ken://kb/project/deploy#L3-L9', 'show ken://conversation/1m7ezjkjqnxq#turn-2'],
  arguments: [{ name: 'uri', summary: 'a citation, as answers and searches print it', required: true }],

  async run({ arguments: [uri = ''], terminal, open }) {
    const citation = requireCitation(uri);
    const app = await open();
    const shown = await showCitation(app, knowledgeBaseFrom(app.config.kb), citation);
    if (terminal.json) {
      const { text, isChanged, path } = shown;
      terminal.printJson({ uri: formatCitation(citation), path: path ?? null, changed: isChanged, text });
    } else terminal.print(shown.text);
    if (!shown.isChanged) return 0;
    terminal.warn('the content has changed since this was cited: not all of the lines are there.');
    return 6;
  },
};
