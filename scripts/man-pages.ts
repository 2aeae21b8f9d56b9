/** Manual pages, from the definitions that `--help` shows: `ken.1`, and one for each command with its subcommands. */

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '../src/base/package-files.ts';
import type { RegisteredCommand } from '../src/entry/cli/command.ts';
import { type CommandPath, walkCommands } from '../src/entry/cli/find-command.ts';
import { commandSections, globalSection, type HelpSection, overviewSections } from '../src/entry/cli/help.ts';
import { COMMANDS } from '../src/entry/cli/registry.ts';

/** File names and contents. */
export async function manPages(commands: readonly RegisteredCommand[]): Promise<ReadonlyMap<string, string>> {
  const all = await walkCommands(commands);
  const roots = all.filter(({ path }) => path.length === 2);
  return new Map([
    ['ken.1', overviewPage(commands, roots)],
    ...roots.map((root): [string, string] => [`${nameOf(root)}.1`, commandPage(root, all)]),
  ]);
}

const nameOf = ({ path }: CommandPath) => path.join('-');

function overviewPage(commands: readonly RegisteredCommand[], roots: readonly CommandPath[]): string {
  return page('ken', 'a knowledge base for you and your AI assistant', [
    ...overviewSections(commands).map((section) => written(section, '.SH')),
    seeAlso(roots.map(nameOf)),
  ]);
}

function commandPage(root: CommandPath, all: readonly CommandPath[]): string {
  const below = all.filter(({ path }) => path.length > 2 && path[1] === root.path[1]);
  return page(nameOf(root), root.command.summary, [
    ...commandSections(root).map((section) => written(section, '.SH')),
    ...below.flatMap((at) => [
      `.SH "${escaped(at.path.join(' '))}"`,
      ...commandSections(at).map((section) => written(section, '.SS')),
    ]),
    written(globalSection(), '.SH'),
    seeAlso(['ken']),
  ]);
}

function page(name: string, summary: string, parts: readonly string[]): string {
  const title = `.TH "${escaped(name.toUpperCase())}" "1" "" "ken ${VERSION}" "ken"`;
  const head = [title, '.SH NAME', `${escaped(name)} \\- ${escaped(summary)}`, '.SH DESCRIPTION'];
  return `${[...head, ...parts].filter(Boolean).join('\n')}\n`;
}

function written(section: HelpSection, heading: '.SH' | '.SS'): string {
  if (section.kind === 'text') return section.text && `.PP\n${paragraphs(section.text)}`;
  const body = bodyOf(section);
  const title = heading === '.SH' ? section.title.toUpperCase() : section.title;
  return body && `${heading} ${title}\n${body}`;
}

function bodyOf(section: Exclude<HelpSection, { kind: 'text' }>): string {
  if (section.kind === 'usage') return `.B ${inQuotes(section.text)}`;
  if (section.kind === 'rows')
    return section.rows
      .map(([term, text]) => `.TP\n.B ${inQuotes(term.trim())}\n${escaped(text)}`)
      .join('\n');
  return section.lines.length > 0 ? `.EX\n${section.lines.map(escaped).join('\n')}\n.EE` : '';
}

function paragraphs(text: string): string {
  return text
    .split('\n')
    .map((line) => (line ? escaped(line) : '.PP'))
    .join('\n');
}

function seeAlso(names: readonly string[]): string {
  return `.SH SEE ALSO\n${names.map((name) => `.BR ${escaped(name)} (1)`).join(' ,\n')}`;
}

/** A line of text for roff, in ASCII; the first character cannot be taken for a request. */
function escaped(text: string): string {
  const plain = text.replaceAll('\\', '\\e').replace(/[-'^~`]/g, (mark) => MARKS[mark] ?? mark);
  const ascii = plain.replace(/[^\n\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
  return ascii.replace(/^\./gm, '\\&.');
}

/** roff shows these as other characters, which nobody can copy into a shell. */
const MARKS: Readonly<Record<string, string>> = {
  '-': '\\-',
  "'": '\\(aq',
  '^': '\\(ha',
  '~': '\\(ti',
  '`': '\\(ga',
};

function inQuotes(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\(dq')}"`;
}

/** Writes the pages into a directory of their own, as `man` and package.json expect them. */
export async function buildManPages(outdir: string): Promise<void> {
  const directory = path.join(outdir, 'man');
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of await manPages(COMMANDS)) writeFileSync(path.join(directory, name), text);
}
