import { visible } from '../../base/text.ts';

export function inertText(text: string): string {
  if (HARMLESS.test(text)) return text;
  return withoutClosingTags(withVisibleControls(text));
}

/** Controls other than tab, newline and a carriage return before it, and those of text direction, become `\u{1B}`. */
export function withVisibleControls(text: string): string {
  return text.replace(CONTROLS, visible);
}

export function inertLine(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.trim());
  return inertText(lines.filter((line) => line !== '').join(' '));
}

/** Foreign text in quotes: one inert line of limited length. */
export function shortQuote(text: string): string {
  const characters = [...inertLine(text.slice(0, 5 * MAX_QUOTED))];
  const shown = characters.slice(0, MAX_QUOTED).join('');
  return characters.length > MAX_QUOTED ? `"${shown}…"` : `"${shown}"`;
}

const MAX_QUOTED = 200;

/** A file name for a listing or a tag. Escapes what looks like an escape, so that different names stay different. */
export function inertName(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  return withoutClosingTags(name.replace(/\\(?=u\{)/g, visible).replace(UNSAFE_IN_NAME, visible));
}

export function quoted(inert: string): string {
  if (PLAIN_NAME.test(inert)) return `"${inert}"`;
  return `"${inert.replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}"`;
}

/** Most texts need no change. */
const HARMLESS = /^[\t\n -$'-;=-[\]-~]*$/;
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const PLAIN_NAME = /^[\w./ -]*$/;
const UNSAFE_IN_NAME =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\u{e0000}-\u{e0fff}]/gu;

/**
 * Replaces the first character of a look-alike of `</subject`, `</topic` or `</knowledge` by an entity:
 * `&lt;/subject`. Where the text said `&lt;/subject`, it becomes `&amp;lt;/subject`.
 */
export function withoutClosingTags(text: string): string {
  closingTag ??= new RegExp(closingTagSource(), 'giu');
  return text.replace(closingTag, (found) => {
    const [first = ''] = found;
    return `${asEntity(first)}${found.slice(first.length)}`;
  });
}

let closingTag: RegExp | undefined;

const TAG_WORDS = ['subject', 'topic', 'knowledge'];

/** Characters without width, marks over and under letters, and spaces: models read `< / sub<zero width>ject` as the tag. */
const NOTHING =
  '[\\s\\p{M}\\0-\\x1f\\x7f-\\xa0\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\uffa0\\ufff0-\\ufffb\\u{e0000}-\\u{e0fff}]*';

/** Letters of other scripts that look like those of the tag words; case is ignored. */
const DRAWN_ALIKE: Readonly<Record<string, string>> = {
  b: 'ьƅ',
  c: 'сϲⅽ',
  d: 'ԁⅾ',
  e: 'еεҽ',
  g: 'ɡԍց',
  i: 'іιӏⅰı',
  j: 'јϳ',
  k: 'кκ',
  l: 'ӏⅼι',
  n: 'ոη',
  o: 'оοօ',
  p: 'рρ',
  s: 'ѕ',
  t: 'тτ',
  u: 'υս',
  w: 'ԝѡω',
};

function closingTagSource(): string {
  const opening = `(?:${spellings('<＜﹤‹〈〈⟨˂ᐸ❮', ['lt'])}|${escaped('3c')})`;
  const slash = `\\\\?(?:${spellings('/／∕⁄⧸╱', ['sol', 'frasl'])}|${escaped('2f')})`;
  const words = TAG_WORDS.map((word) => Array.from(word, letter).join(NOTHING));
  return [opening, slash, `(?:${words.join('|')})`].join(NOTHING);
}

/** A character as JSON, C, JavaScript or an address writes it. */
function escaped(code: string): string {
  return `\\\\u00${code}|\\\\u\\{0*${code}\\}|\\\\x${code}|%(?:25)*${code}`;
}

function letter(name: string): string {
  return spellings(`${name}${styledForms(name)}${DRAWN_ALIKE[name] ?? ''}`, []);
}

/** Full-width, circled, squared, parenthesised and raised letters and the thirteen mathematical alphabets, capital and small. */
function styledForms(name: string): string {
  const index = name.charCodeAt(0) - 0x61;
  const mathematical = Array.from({ length: 13 }, (_, style) => 0x1d400 + 52 * style + index);
  const forms = [0xff41, 0x24d0, 0x249c, 0x1f110, 0x1f130, 0x1f150, 0x1f170].map((first) => first + index);
  return (
    RAISED.charAt(index) +
    String.fromCodePoint(...forms, ...mathematical, ...mathematical.map((capital) => capital + 26))
  );
}

const RAISED = 'ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖqʳˢᵗᵘᵛʷˣʸᶻ';

/** Any of the characters, as itself or as an entity: named, decimal, hexadecimal, escaped once or many times. */
function spellings(characters: string, names: readonly string[]): string {
  const codes = Array.from(characters, (character) => character.codePointAt(0) ?? 0).flatMap(bothCases);
  const decimal = codes.join('|');
  const hexadecimal = codes.map((code) => code.toString(16)).join('|');
  const entities = [...names, `#0*(?:${decimal})`, `#x0*(?:${hexadecimal})`].join('|');
  return `(?:[${characters}]|[&＆﹠]${NOTHING}(?:(?:amp|#0*38|#x0*26);)*(?:${entities});?)`;
}

function bothCases(code: number): number[] {
  const capital = String.fromCodePoint(code).toUpperCase().codePointAt(0) ?? code;
  return capital === code ? [code] : [code, capital];
}

function asEntity(character: string): string {
  if (character === '<') return '&lt;';
  if (character === '&') return '&amp;';
  return `&#x${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()};`;
}
