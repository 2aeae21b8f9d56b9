import type { ConversationTrouble } from '../../../domain/conversations/store.ts';
import { ok, problem, type RunCheck, warning } from './check.ts';

const SHOWN = 3;

const HINTS: Record<ConversationTrouble['kind'], string> = {
  metadata: 'Correct the file, or delete its directory; until then the conversation is in no list.',
  log: 'Correct the lines by hand, or delete them; everything else in the log can be read.',
  torn: 'Nothing is lost before it; the next writer moves it to a file of its own.',
  leftover: 'Delete it: the conversation was never there, or is gone.',
};

/** The worst comes first; what heals by itself, or harms nobody, is a warning. */
export const checkConversations: RunCheck = async ({ app: { conversations } }, signal) => {
  if (!conversations) return ok('none here');
  const troubles = await conversations.troubles(signal);
  for (const kind of ['metadata', 'log', 'torn', 'leftover'] as const) {
    const found = troubles.filter((trouble) => trouble.kind === kind);
    if (found.length === 0) continue;
    const say = kind === 'metadata' || kind === 'log' ? problem : warning;
    return say(sentence(found, troubles.length - found.length), HINTS[kind]);
  }
  const { length } = await conversations.ids();
  return ok(length === 1 ? '1 conversation' : `${length} conversations`);
};

function sentence(found: readonly ConversationTrouble[], others: number): string {
  const shown = found.slice(0, SHOWN).map(({ path, detail }) => `${path} ${detail}`);
  const more = found.length - shown.length + others;
  return [...shown, ...(more > 0 ? [`and ${more} more of this and other kinds`] : [])].join('; ');
}
