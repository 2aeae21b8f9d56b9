/** Directives that set and remove labels: `key=value`, `key`, `:alias`, `key-`. */

import { Fault } from '../../base/fault.ts';
import { shellWord } from '../../base/shell-words.ts';
import { formatLabel, type LabelChange } from './label.ts';
import { checkLabelValue, isLabelKey, parseLabelKey, quotedExcerpt, readQuotedValue } from './label-value.ts';

/** An alias stands for a configured label, whose value is found when it is used. */
export type LabelDirective = LabelChange | { readonly kind: 'alias'; readonly name: string };

/** Splits at the first `=`. A value in double quotes is unquoted, any other is taken literally. */
export function parseLabelDirective(text: string): LabelDirective {
  if (text.startsWith(':')) return { kind: 'alias', name: parseLabelKey(text.slice(1)) };
  const at = text.indexOf('=');
  if (at !== -1)
    return { kind: 'set', key: parseLabelKey(text.slice(0, at)), value: parseValue(text.slice(at + 1)) };
  const removed = text.slice(0, -1);
  if (text.endsWith('-') && isLabelKey(removed)) return { kind: 'remove', key: removed };
  return { kind: 'set', key: parseLabelKey(text), value: '' };
}

export function formatLabelDirective(directive: LabelDirective): string {
  switch (directive.kind) {
    case 'set':
      return formatLabel(directive.key, directive.value);
    case 'remove':
      return `${directive.key}-`;
    case 'alias':
      return `:${directive.name}`;
  }
}

/** The directives as shell words, for pasting. */
export function pasteableDirectives(directives: readonly LabelDirective[]): string {
  return directives.map((directive) => shellWord(formatLabelDirective(directive))).join(' ');
}

function parseValue(text: string): string {
  if (!text.startsWith('"')) return checkLabelValue(text);
  const { value, end } = readQuotedValue(text, 0);
  if (end === text.length) return value;
  throw new Fault('labels/invalid', `${quotedExcerpt(text)} goes on after its closing quote.`, {
    hint: 'Put the whole value inside the quotes, and write \\" for a quote in it.',
  });
}

/** The labels of something that takes no alias; `what` begins the error: `A topic`. */
export function parseLabelChanges(texts: readonly string[], what: string): LabelChange[] {
  return texts.map((text) => {
    const directive = parseLabelDirective(text);
    if (directive.kind !== 'alias') return directive;
    throw new Fault('labels/invalid', `${what} takes no alias like "${text}".`, { hint: 'Write KEY=VALUE.' });
  });
}
