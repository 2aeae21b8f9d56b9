/** Escapes text that Markdown would read as markup, with as few backslashes as that takes. */

/** Escapes within a line; `escapeLineStart` escapes what matters only at its start. */
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

/** Code is looked for in texts up to this length: a run of backticks takes the square of its own. */
const LONGEST_WITH_CODE = 1000;

/** Escapes the brackets of text between brackets. Code is safe there without. */
export function escapeBrackets(markdown: string): string {
  const bare = markdown.length > LONGEST_WITH_CODE ? /\\.|[[\]]/gs : /\\.|(`+)(?!`).*?[^`]\1(?!`)|[[\]]/gs;
  return (
    escapeBare(markdown, bare)
      // Some readers take even an escaped bracket before a parenthesis for the end of the link's text.
      .replaceAll('\\](', '\\]\\(')
  );
}

/** Escapes the pipes of a cell, those in code too: a table is split into cells before they are read. */
export function escapePipes(markdown: string): string {
  return escapeBare(markdown, /\\.|\|/gs);
}

/** Escapes what a pattern finds if it is one character; longer matches stay as they are. */
function escapeBare(markdown: string, pattern: RegExp): string {
  return markdown.replace(pattern, (found) => (found.length === 1 ? `\\${found}` : found));
}

/** Escapes what starts a heading, quotation, list, fence, rule, or the line below a table's header. */
export function escapeLineStart(line: string): string {
  return line
    .replace(/^(?=#{1,6}(\s|$)|>|~~~|[-+*](\s|$)|[-:|][-:|\s]*$|=+\s*$|\|)/, '\\')
    .replace(/^(\d{1,9})(?=[.)](\s|$))/, '$1\\');
}

/** Escapes a last word of `#`, which would close the heading. */
export function escapeHeadingEnd(line: string): string {
  const start = line.lastIndexOf(' ') + 1;
  return /^#+$/.test(line.slice(start)) ? `${line.slice(0, start)}\\${line.slice(start)}` : line;
}

/** Backticks for a code span or a fence: more than in any run of backticks inside. */
export function backticksAround(text: string, least: number): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  return '`'.repeat(Math.max(least, longest + 1));
}
