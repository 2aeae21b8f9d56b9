/** Somebody else's bytes, made harmless for a prompt: they close no tag and control nothing. */

import { visible } from '../../base/text.ts';
import { withoutClosingTags } from './closing-tags.ts';

/** Content for the inside of a tag. */
export function inertText(text: string): string {
  if (HARMLESS.test(text)) return text;
  return withoutClosingTags(withVisibleControls(text));
}

/** Controls other than tab, newline and a carriage return before it, shown as `\u{1B}`. */
export function withVisibleControls(text: string): string {
  return text.replace(CONTROLS, visible);
}

/** The same on one line: a title, a description in a listing, a passage. */
export function inertLine(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.trim());
  return inertText(lines.filter((line) => line !== '').join(' '));
}

/** What somebody wrote, echoed in quotes: one inert line of it, and not at any length. */
export function shortQuote(text: string): string {
  const characters = [...inertLine(text.slice(0, 5 * MAX_QUOTED))];
  const shown = characters.slice(0, MAX_QUOTED).join('');
  return characters.length > MAX_QUOTED ? `"${shown}…"` : `"${shown}"`;
}

const MAX_QUOTED = 200;

/**
 * A file's name that can stand in a listing or a tag. Different names stay different: what looks like an escape is
 * escaped as well.
 */
export function inertName(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  return withoutClosingTags(name.replace(/\\(?=u\{)/g, visible).replace(UNSAFE_IN_NAME, visible));
}

/** An inert text for the quotes of an opening tag. */
export function quoted(inert: string): string {
  if (PLAIN_NAME.test(inert)) return `"${inert}"`;
  return `"${inert.replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}"`;
}

/** What stands in the quotes of an opening tag, as it was before. */
export function unquoted(attribute: string): string {
  return attribute
    .replace(/&gt;/g, '>')
    .replace(/&lt;/g, '<')
    .replace(/&quot;/g, '"');
}

/** What nothing has to be done about, in one quick look: most texts are all of it. */
const HARMLESS = /^[\t\n -%'-;=-~]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROLS = /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const PLAIN_NAME = /^[\w./ -]*$/;
const UNSAFE_IN_NAME =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\u{e0000}-\u{e0fff}]/gu;
