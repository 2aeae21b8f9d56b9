/** The pages, and parts of pages, that are made from the code. */

import { walkCommands } from '../src/entry/cli/find-command.ts';
import { helpFor, overviewHelp } from '../src/entry/cli/help.ts';
import { COMMANDS } from '../src/entry/cli/registry.ts';

const COLUMNS = 80;

/** docs/cli.md: what `--help` says, for every command. */
export async function cliPage(): Promise<string> {
  const sections = (await walkCommands(COMMANDS)).map((at) =>
    section(at.path.join(' '), helpFor(at, COLUMNS)),
  );
  return [HEADING, section('ken', overviewHelp(COMMANDS, COLUMNS)), ...sections].join('\n');
}

const HEADING = `# Command line

What \`--help\` prints, for every command. This page is written by \`npm run docs\`.

Exit codes: 0 ok · 1 failure, or no match for searches · 2 usage · 3 not found · 4 denied or approval needed ·
5 conflict · 6 a check found something · 70 a bug · 130 interrupted.
`;

function section(title: string, help: string): string {
  return `## ${title}\n\n\`\`\`text\n${help}\n\`\`\`\n`;
}

const START = '<!-- import table -->\n';
const END = '<!-- end of import table -->';

/** docs/architecture.md with the table in its place. */
export function architecturePage(page: string, table: Readonly<Record<string, readonly string[]>>): string {
  const [before, rest = ''] = page.split(START);
  const [, after = ''] = rest.split(END);
  const rows = Object.entries(table).map(
    ([part, allowed]) =>
      `| \`${part}\` | ${allowed.map((each) => `\`${each}\``).join(', ') || 'nothing'} |\n`,
  );
  return `${before}${START}| part | may import |\n|---|---|\n${rows.join('')}${END}${after}`;
}
