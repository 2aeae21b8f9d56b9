/** Tells a model what is nearest when nothing answers: addresses and titles, never texts. */

import { aboutDataFences, dataFence } from '../../base/data-fence.ts';
import type { JsonObject } from '../../base/json.ts';
import { singleLine } from '../../base/terminal-text.ts';
import { utf8Length } from '../../base/text.ts';

export interface NearMiss {
  readonly uri: string;
  /** Foreign text, which stands in the fence. */
  readonly title: string;
}

/** An abstention costs a model at most about 250 tokens. */
const MOST_BYTES = 980;
const MOST_TITLE = 60;

/** As many as fit. `lead` is ken's own sentence. */
export function nearestAnswer(
  id: string,
  lead: string,
  near: readonly NearMiss[],
): { readonly text: string; readonly data: JsonObject } {
  const said = `${lead} show {"uri":…} opens one. ${aboutDataFences(id)}`;
  for (let count = near.length; count > 0; count--) {
    const shown = near.slice(0, count).map(({ uri, title }) => ({ uri, title: shortTitle(title) }));
    const lines = shown.map(({ uri, title }) => `${uri} ${title}`);
    const text = `${said}\n\n${dataFence(id, lines.join('\n'))}`;
    const data = {
      outcome: 'nearest',
      text: said,
      near_misses: shown.map(({ uri, title }) => ({ uri, title: dataFence(id, title) })),
    };
    if (Math.max(utf8Length(text), utf8Length(JSON.stringify(data))) <= MOST_BYTES) return { text, data };
  }
  return { text: lead, data: { outcome: 'nearest', text: lead } };
}

function shortTitle(title: string): string {
  const line = singleLine(title);
  return line.length > MOST_TITLE ? `${line.slice(0, MOST_TITLE).toWellFormed()}…` : line;
}
