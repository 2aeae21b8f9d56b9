/** Parses `name` and `description` of a `SKILL.md`: plain, quoted and block texts of YAML; skips everything else. */

export interface FrontMatter {
  /** Texts by top-level key. */
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Undefined when the text does not begin with front matter that is closed. */
export function parseFrontMatter(text: string): FrontMatter | undefined {
  const lines = text.split(/\r?\n/);
  if (!isFence(lines[0])) return undefined;
  const end = lines.findIndex((line, at) => at > 0 && isFence(line));
  if (end === -1) return undefined;
  return { fields: readFields(lines.slice(1, end)), body: lines.slice(end + 1).join('\n') };
}

/** The title of Markdown: `title` of its front matter, or its first heading of level 1. A fence has no headings. */
export function titleIn(text: string): string | undefined {
  const matter = parseFrontMatter(text);
  const given = matter?.fields.title?.trim();
  return given || firstHeading((matter?.body ?? text).split(/\r?\n/));
}

function firstHeading(lines: readonly string[]): string | undefined {
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark) fence = mark;
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    if (fence !== undefined || mark) continue;
    const hash = /^ {0,3}#[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line)?.[1];
    const above = lines[at - 1]?.trim();
    const underlined = /^ {0,3}=+[ \t]*$/.test(line) ? above : undefined;
    const name = plainText(hash ?? underlined ?? markupHeading(lines, at) ?? '');
    if (name !== '') return name;
  }
  return undefined;
}

const MOST_HEADING_LINES = 5;

/** The text of an `<h1>` that begins on this line. */
function markupHeading(lines: readonly string[], at: number): string | undefined {
  if (!/^\s*<h1\b/i.test(lines[at] ?? '')) return undefined;
  const [, name] = /<h1\b[^>]*>(.*?)<\/h1>/is.exec(lines.slice(at, at + MOST_HEADING_LINES).join(' ')) ?? [];
  return name;
}

/** Without tags, and with the text of links alone. */
function plainText(heading: string): string {
  return heading
    .replace(/<[^<>]*>/g, '')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

export function writeFrontMatter(fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n`;
}

function isFence(line: string | undefined): boolean {
  return line?.trimEnd() === '---';
}

// A text may hold U+2028, which a dot does not match without the flag `s`.
const FIELD = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$/s;
const BLOCK = /^([|>])([+-]?)[1-9]?([+-]?)[ \t]*(?:#.*)?$/;

function readFields(lines: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  lines.forEach((line, at) => {
    const [, key, written = ''] = FIELD.exec(line) ?? [];
    if (key === undefined || key in fields) return;
    const following = continuation(lines, at + 1);
    const value = readValue(written.trim(), following);
    if (value !== undefined) fields[key] = value;
  });
  return fields;
}

/** Indented and empty lines belong to the field above them. */
function continuation(lines: readonly string[], start: number): string[] {
  const rest = lines.slice(start);
  const end = rest.findIndex((line) => line.trim() !== '' && !/^[ \t]/.test(line));
  return end === -1 ? rest : rest.slice(0, end);
}

function readValue(written: string, following: readonly string[]): string | undefined {
  const block = BLOCK.exec(written);
  if (block) return block[1] === '|' ? outdented(following).join('\n').trimEnd() : folded(following);
  if (/^[[{&*!]/.test(written)) return undefined;
  const whole = folded([written, ...following]);
  if (written.startsWith('"')) return unquoteDouble(whole);
  if (written.startsWith("'")) return unquoteSingle(whole);
  // Without a value of its own, a field with something below it is a list or a map.
  if (written === '' && following.some((line) => /^\s*(-\s|[\w-]+:(\s|$))/.test(line))) return undefined;
  return whole.replace(/(?:^|\s)#.*$/, '').trim();
}

function outdented(lines: readonly string[]): string[] {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const indent = indents.length > 0 ? Math.min(...indents) : 0;
  return lines.map((line) => line.slice(indent));
}

/** Joins lines into one; an empty line becomes a line end. */
function folded(lines: readonly string[]): string {
  const paragraphs: string[][] = [[]];
  for (const line of lines.map((each) => each.trim())) {
    if (line === '') paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  return paragraphs
    .filter((paragraph) => paragraph.length > 0)
    .map((paragraph) => paragraph.join(' '))
    .join('\n');
}

function unquoteDouble(text: string): string | undefined {
  const [quotedText] = /^"(?:[^"\\]|\\.)*"/.exec(text) ?? [];
  return quotedText?.slice(1, -1).replace(ESCAPE, unescaped);
}

const ESCAPE = /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/gs;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' };

function unescaped(_: string, two?: string, four?: string, eight?: string, character = ''): string {
  const code = two ?? four ?? eight;
  if (code === undefined) return ESCAPED[character] ?? character;
  const number = Number.parseInt(code, 16);
  return number <= 0x10ffff ? String.fromCodePoint(number) : '\ufffd';
}

function unquoteSingle(text: string): string | undefined {
  const [quotedText] = /^'(?:[^']|'')*'/.exec(text) ?? [];
  return quotedText?.slice(1, -1).replace(/''/g, "'");
}
