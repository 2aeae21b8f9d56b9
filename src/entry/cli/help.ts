import { displayWidth, wrapText } from '../../base/terminal-text.ts';
import type { ArgumentSpec, Command, OptionSpec, RegisteredCommand } from './command.ts';
import { type CommandPath, usageLine } from './find-command.ts';
import { GLOBAL_OPTIONS, VERSION_OPTION } from './globals.ts';

type Row = readonly [term: string, summary: string];

/** A part of the help of a command, before it is laid out for a terminal or a manual page. */
export type HelpSection =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'examples'; readonly title: string; readonly lines: readonly string[] }
  | { readonly kind: 'usage'; readonly title: string; readonly text: string }
  | { readonly kind: 'rows'; readonly title: string; readonly rows: readonly Row[] };

export function helpFor(at: CommandPath, columns: number): string {
  return laidOut([...commandSections(at), globalSection()], columns);
}

export function overviewHelp(commands: readonly RegisteredCommand[], columns: number): string {
  return laidOut(overviewSections(commands), columns);
}

/** The help of one command, without the options that every command has. */
export function commandSections(at: CommandPath): readonly HelpSection[] {
  const { summary, description, examples = [], subcommands = [], options = [], ...command } = at.command;
  return [
    { kind: 'text', text: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.` },
    { kind: 'text', text: description ?? '' },
    examplesSection(examples),
    { kind: 'usage', title: 'Usage', text: usageLine(at) },
    { kind: 'rows', title: 'Arguments', rows: (command.arguments ?? []).map(argumentRow) },
    { kind: 'rows', title: 'Commands', rows: subcommands.map(commandRow) },
    { kind: 'rows', title: 'Options', rows: options.map(optionRow) },
  ];
}

export function globalSection(): HelpSection {
  return { kind: 'rows', title: 'Global options', rows: GLOBAL_OPTIONS.map(optionRow) };
}

export function overviewSections(commands: readonly RegisteredCommand[]): readonly HelpSection[] {
  const listed = commands.filter(({ hidden }) => !hidden);
  return [
    { kind: 'text', text: 'A knowledge base for you and your AI assistant.' },
    examplesSection(OVERVIEW_EXAMPLES),
    { kind: 'usage', title: 'Usage', text: 'ken [options] <command>' },
    { kind: 'rows', title: 'Commands', rows: listed.map(commandRow) },
    { kind: 'rows', title: 'Global options', rows: [...GLOBAL_OPTIONS, VERSION_OPTION].map(optionRow) },
    { kind: 'text', text: '"ken help <command>" shows more about one command.' },
  ];
}

export const OVERVIEW_EXAMPLES = [
  'init',
  'search "how do we deploy"',
  'query "How do we deploy?"',
  'help search',
];

function examplesSection(examples: readonly string[]): HelpSection {
  return { kind: 'examples', title: 'Examples', lines: examples.map((example) => `ken ${example}`) };
}

function argumentRow({ name, summary, choices }: ArgumentSpec): Row {
  return [name, withNotes(summary, choices)];
}

function commandRow({ name, aliases, summary }: Pick<Command, 'name' | 'aliases' | 'summary'>): Row {
  return [[name, ...(aliases ?? [])].join(', '), summary];
}

function optionRow({ flags, summary, required, repeatable, choices }: OptionSpec): Row {
  const written = flags.replace(/ \[(.+)\]$/, '[=$1]');
  return [
    flags.startsWith('--') ? `    ${written}` : written,
    withNotes(summary, choices, required && 'required', repeatable && 'repeatable'),
  ];
}

function withNotes(
  summary: string,
  choices: readonly string[] = [],
  ...marks: readonly (string | false | undefined)[]
): string {
  const notes = [choices.join(', '), ...marks].filter(Boolean);
  return notes.length > 0 ? `${summary} (${notes.join('; ')})` : summary;
}

/** Two columns; on a narrow terminal the second goes below the first. */
function table(rows: readonly Row[], columns: number): string {
  const termWidth = Math.max(0, ...rows.map(([term]) => displayWidth(term)));
  const indent = termWidth + 4;
  if (columns - indent < 24) return rows.map((row) => stacked(row, columns)).join('\n');
  return rows
    .map(([term, summary]) => {
      const padded = `  ${term}${' '.repeat(termWidth - displayWidth(term))}  `;
      return padded + indented(wrapText(summary, columns - indent), indent).trimStart();
    })
    .join('\n');
}

function stacked([term, summary]: Row, columns: number): string {
  return `${hanging(term.trim(), columns)}\n${indented(wrapText(summary, columns - 6), 6)}`;
}

/** Wraps the text; the first line is indented by two, the others by four. */
function hanging(text: string, columns: number): string {
  const [first = '', ...rest] = wrapText(text, columns - 4).split('\n');
  return [`  ${first}`, ...rest.map((line) => `    ${line}`)].join('\n');
}

function indented(text: string, by: number): string {
  return text.replace(/^/gm, ' '.repeat(by));
}

function laidOut(parts: readonly HelpSection[], columns: number): string {
  const texts = parts.map((part) =>
    part.kind === 'text' ? wrapText(part.text, columns) : titled(part.title, bodyOf(part, columns)),
  );
  return texts.filter(Boolean).join('\n\n');
}

function bodyOf(part: Exclude<HelpSection, { kind: 'text' }>, columns: number): string {
  // Examples are never wrapped, since people copy them.
  if (part.kind === 'examples') return part.lines.map((line) => `  ${line}`).join('\n');
  return part.kind === 'usage' ? hanging(part.text, columns) : table(part.rows, columns);
}

function titled(title: string, body: string): string | undefined {
  return body ? `${title}:\n${body}` : undefined;
}
