/** Compares by code point, so that an order is the same on every machine and in every locale. */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates encode characters above the basic plane but have numbers below its end; here they come last. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** `1 topic`, `2 topics`; the third argument is for nouns whose plural is not the noun and an s. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

export function visible(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

/** Removes every `character` at the end. One pass is enough, where `/x+$/` starts again at each run of it. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** Replaces secrets by `***`. A text shorter than six characters is not a secret; of `Bearer abc` only `abc` is one. */
export function withoutSecrets(text: string, values: readonly string[]): string {
  const secrets = values.flatMap((value) => value.split(/\s+/)).filter(isLongEnough);
  return secrets
    .sort((one, other) => other.length - one.length)
    .reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}

function isLongEnough(value: string): boolean {
  return value.length >= 6 && !/^(?:bearer|basic|digest)$/i.test(value);
}

/** Estimates the tokens of a text without a tokenizer. */
export function estimateTokens(text: string | { readonly bytes: number }): number {
  const bytes = typeof text === 'string' ? utf8Length(text) : text.bytes;
  return Math.ceil(bytes / 4);
}

export function utf8Length(text: string): number {
  if (ASCII.test(text)) return text.length;
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(at + 1))) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return bytes;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are a byte each, too.
const ASCII = /^[\u0000-\u007f]*$/;

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Lines of a text, counted from 1; both ends are included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Splits a text into lines. A line end at the end of the text begins no further line; an empty text has no lines. */
export function linesOf(text: string, lineEnd: string | RegExp = '\n'): string[] {
  const lines = text.split(lineEnd);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Joins the existing lines of a range; all lines without a range. */
export function joinedLines(lines: readonly string[], range: LineRange | undefined): string {
  return (range ? lines.slice(range.first - 1, range.last) : lines).join('\n');
}

/** The end of a citation: `#L3-L9`, `#L3` for one line, empty without a range. */
export function lineAnchor(range: LineRange | undefined): string {
  if (!range) return '';
  return range.first === range.last ? `#L${range.first}` : `#L${range.first}-L${range.last}`;
}

/** Normalises paths that people write: `docs` may be a file or a directory, so it becomes `docs` and `docs/`. */
export function fileOrDirectoryPaths(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const plain = path.replace(/^(\.\/+)+/, '').replace(/\/+/g, '/');
    return plain.endsWith('/') ? [plain] : [plain, `${plain}/`];
  });
}

/** Stands on a line of its own where a text is cut. */
export const CUT_MARK = '[…]';

export function isCut(text: string): boolean {
  return text.split('\n').includes(CUT_MARK);
}

/** The beginning of a text, of at most so many characters: it ends with a line, a sentence, or else a word. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const start = text.slice(0, Math.max(0, characters - CUT_MARK.length - 1)).toWellFormed();
  const ends = [
    start.lastIndexOf('\n'),
    ...['. ', '! ', '? ', '。'].map((end) => start.lastIndexOf(end) + 1),
  ];
  const end = Math.max(...ends);
  const whole = end > start.length / 2 ? start.slice(0, end) : start.replace(/\s\S*$/, '');
  return `${whole.replace(new RegExp(`\\n${RegExp.escape(CUT_MARK)}$`), '').trimEnd()}\n${CUT_MARK}`;
}

export type DocumentFormat = 'docx' | 'epub' | 'ipynb' | 'pdf';

/** Undefined for text, and for what cannot be read as text. */
export function documentFormat(path: string): DocumentFormat | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return DOCUMENT_FORMATS.find((format) => format === ending);
}

const DOCUMENT_FORMATS: readonly DocumentFormat[] = ['docx', 'epub', 'ipynb', 'pdf'];

/** Larger documents are not opened. */
export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

/** Windows knows these as devices, whatever the extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i;

/**
 * Says why some system cannot have a file of this name; undefined for a name that all can have. Files that ken makes are
 * kept in repositories, which every system checks out.
 */
export function portabilityProblem(path: string): string | undefined {
  if (/^[A-Za-z]:/.test(path)) return 'it begins with a drive letter';
  for (const segment of path.split(/[/\\]/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no name may have.
    const sign = /[<>:"|?*\u0000-\u001f]/.exec(segment)?.[0];
    if (sign !== undefined) return `Windows cannot have ${JSON.stringify(sign)} in a name`;
    if (/[. ]$/.test(segment) && !/^\.{1,2}$/.test(segment))
      return 'Windows drops a dot or a blank at the end of a name';
    if (isDevice(segment)) return `"${segment}" is a device on Windows`;
  }
  return undefined;
}

/** Everything behind the first dot is no part of a device's name, nor are blanks before it. */
export function isDevice(segment: string): boolean {
  return DEVICE.test((segment.split('.', 1)[0] ?? '').trimEnd());
}
