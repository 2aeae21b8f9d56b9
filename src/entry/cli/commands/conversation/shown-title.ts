import { singleLine } from '../../../../base/terminal-text.ts';
import type { Metadata } from '../../../../domain/conversations/conversation.ts';

export const NO_TITLE = '(no title)';

/** On one line, whatever is in the file: what follows on the next could pass for ken's own words. */
export function shownTitle({ title = '' }: Pick<Metadata, 'title'>): string {
  return singleLine(title) || NO_TITLE;
}
