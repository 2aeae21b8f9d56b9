/** Text that Markdown would take for markup, made to stand for itself; and no more backslashes than that takes. */

/** Within a line. What matters only at the start of one is left to `escapeLineStart`. */
export function escapeInline(text: string): string {
  if (!/[\\`*_~<\]&]/.test(text)) return text;
  // A lone tilde is written before numbers and paths; only a second one makes a pair of marks.
  const tildes = text.split('~').length > 2 ? /~(?=\S)|(?<=\S)~/g : /~~/g;
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/`/g, '\\`')
    .replace(/\*(?=\S)|(?<=\S)\*/g, '\\*')
    .replace(/(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, (run) => '\\_'.repeat(run.length))
    .replace(tildes, (run) => run.replaceAll('~', '\\~'))
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/\](?=[([:])/g, '\\]')
    .replace(/&(?=#?[a-z0-9]+;)/gi, '\\&');
}

/** Text between brackets: no bracket in it may open or close anything. Code is safe there as it is. */
export function escapeBrackets(markdown: string): string {
  return (
    escapeBare(markdown, /\\.|(`+)(?!`).*?[^`]\1(?!`)|[[\]]/gs)
      // Some readers take even an escaped bracket before a parenthesis for the end of the link's text.
      .replaceAll('\\](', '\\]\\(')
  );
}

/** Cells are parted before anything in them is read, code included. */
export function escapePipes(markdown: string): string {
  return escapeBare(markdown, /\\.|\|/gs);
}

/** Escapes the single signs that a pattern finds; what it finds that is longer stays as it is. */
function escapeBare(markdown: string, pattern: RegExp): string {
  return markdown.replace(pattern, (found) => (found.length === 1 ? `\\${found}` : found));
}

/** Headings, quotations, lists, fences, rules, and the line below the header of a table. */
export function escapeLineStart(line: string): string {
  return line
    .replace(/^(?=#{1,6}(\s|$)|>|~~~|[-+*](\s|$)|[-:|][-:|\s]*$|=+\s*$|\|)/, '\\')
    .replace(/^(\d{1,9})(?=[.)](\s|$))/, '$1\\');
}

/** A last word of `#` would be taken for the end of the heading. */
export function escapeHeadingEnd(line: string): string {
  const start = line.lastIndexOf(' ') + 1;
  return /^#+$/.test(line.slice(start)) ? `${line.slice(0, start)}\\${line.slice(start)}` : line;
}

/** A code span or a fence must be longer than every run of backticks inside. */
export function backticksAround(text: string, least: number): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  return '`'.repeat(Math.max(least, longest + 1));
}
