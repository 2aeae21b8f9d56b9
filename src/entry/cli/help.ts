/** `--help`: an example first, then what can be said. */

import { displayWidth } from '../../base/terminal-text.ts';
import { wrapText } from '../../base/wrap-text.ts';
import type { Command, OptionSpec } from './command.ts';
import { GLOBAL_OPTIONS } from './globals.ts';

export interface CommandPath {
  readonly command: Command;
  /** The words that lead to it, `ken` first. */
  readonly path: readonly string[];
}

type Row = readonly [term: string, summary: string];

export function helpFor({ command, path }: CommandPath, columns: number): string {
  const { examples = [], subcommands = [], options = [], description } = command;
  return sections([
    wrapText(sentence(command.summary), columns),
    description && wrapText(description, columns),
    examples.length > 0 && titled('Examples', examples.map((example) => `  ken ${example}`).join('\n')),
    titled('Usage', `  ${usage(command, path)}`),
    titled('Arguments', table((command.arguments ?? []).map(argumentRow), columns)),
    titled('Commands', table(subcommands.map(subcommandRow), columns)),
    titled('Options', table(options.map(optionRow), columns)),
    titled('Global options', table(GLOBAL_OPTIONS.map(optionRow), columns)),
  ]);
}

export function overviewHelp(
  commands: readonly { name: string; summary: string }[],
  columns: number,
): string {
  return sections([
    wrapText('One body of knowledge for an AI assistant and the person beside it.', columns),
    titled('Examples', '  ken init\n  ken config show\n  ken doctor'),
    titled('Usage', '  ken [options] <command>'),
    titled(
      'Commands',
      table(
        commands.map(({ name, summary }) => [name, summary]),
        columns,
      ),
    ),
    titled('Global options', table([...GLOBAL_OPTIONS, VERSION_OPTION].map(optionRow), columns)),
    wrapText('"ken <command> --help" shows more about one command.', columns),
  ]);
}

const VERSION_OPTION: OptionSpec = { flags: '--version', summary: 'print the version' };

function usage(command: Command, path: readonly string[]): string {
  const words = (command.arguments ?? []).map(({ name, required, variadic }) => {
    const written = variadic ? `${name}...` : name;
    return required ? `<${written}>` : `[${written}]`;
  });
  const verb = command.subcommands ? [command.run ? '[command]' : '<command>'] : [];
  return [...path, ...verb, '[options]', ...words].join(' ');
}

function argumentRow({ name, summary }: { name: string; summary: string }): Row {
  return [name, summary];
}

function subcommandRow({ name, aliases, summary }: Command): Row {
  return [[name, ...(aliases ?? [])].join(', '), summary];
}

function optionRow({ flags, summary, repeatable, choices }: OptionSpec): Row {
  const notes = [choices?.join(', '), repeatable && 'repeatable'].filter(Boolean).join('; ');
  return [flags.startsWith('--') ? `    ${flags}` : flags, notes ? `${summary} (${notes})` : summary];
}

/** Two columns; on a narrow terminal the second one goes under the first. */
function table(rows: readonly Row[], columns: number): string {
  const termWidth = Math.max(0, ...rows.map(([term]) => displayWidth(term)));
  const indent = termWidth + 4;
  const isNarrow = columns - indent < 24;
  return rows
    .map(([term, summary]) => {
      if (isNarrow) return `  ${term.trim()}\n${indented(wrapText(summary, columns - 6), 6)}`;
      return `  ${term.padEnd(termWidth)}  ${indented(wrapText(summary, columns - indent), indent).trimStart()}`;
    })
    .join('\n');
}

function indented(text: string, by: number): string {
  return text.replace(/^/gm, ' '.repeat(by));
}

function titled(title: string, body: string): string | undefined {
  return body ? `${title}:\n${body}` : undefined;
}

function sections(parts: readonly (string | undefined | false)[]): string {
  return parts.filter(Boolean).join('\n\n');
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
