import { displayWidth, wrapText } from '../../base/terminal-text.ts';
import type { ArgumentSpec, Command, OptionSpec, RegisteredCommand } from './command.ts';
import { type CommandPath, usageLine } from './find-command.ts';
import { GLOBAL_OPTIONS, VERSION_OPTION } from './globals.ts';

type Row = readonly [term: string, summary: string];

export function helpFor(at: CommandPath, columns: number): string {
  const { summary, description, examples = [], subcommands = [], options = [], ...command } = at.command;
  return sections([
    wrapText(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, columns),
    description && wrapText(description, columns),
    titled('Examples', exampleLines(examples)),
    titled('Usage', hanging(usageLine(at), columns)),
    titled('Arguments', table((command.arguments ?? []).map(argumentRow), columns)),
    titled('Commands', table(subcommands.map(commandRow), columns)),
    titled('Options', table(options.map(optionRow), columns)),
    titled('Global options', table(GLOBAL_OPTIONS.map(optionRow), columns)),
  ]);
}

export function overviewHelp(commands: readonly RegisteredCommand[], columns: number): string {
  const listed = commands.filter(({ hidden }) => !hidden);
  return sections([
    wrapText('A knowledge base for you and your AI assistant.', columns),
    titled('Examples', exampleLines(OVERVIEW_EXAMPLES)),
    titled('Usage', hanging('ken [options] <command>', columns)),
    titled('Commands', table(listed.map(commandRow), columns)),
    titled('Global options', table([...GLOBAL_OPTIONS, VERSION_OPTION].map(optionRow), columns)),
    wrapText('"ken help <command>" shows more about one command.', columns),
  ]);
}

export const OVERVIEW_EXAMPLES = ['init', 'learn project', 'help learn'];

/** Examples are never wrapped, since people copy them. */
function exampleLines(examples: readonly string[]): string {
  return examples.map((example) => `  ken ${example}`).join('\n');
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

function titled(title: string, body: string): string | undefined {
  return body ? `${title}:\n${body}` : undefined;
}

function sections(parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n');
}
