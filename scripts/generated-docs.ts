/** The pages, and parts of pages, that are made from the code. */

import path from 'node:path';
import { walkCommands } from '../src/entry/cli/find-command.ts';
import { helpFor, overviewHelp } from '../src/entry/cli/help.ts';
import { COMMANDS } from '../src/entry/cli/registry.ts';
import { importsOf, isWithin, shippedFiles } from '../test/source-files.ts';

const COLUMNS = 80;

/** docs/cli.md: what `--help` says, for every command. */
export async function cliPage(): Promise<string> {
  const sections = (await walkCommands(COMMANDS)).map((at) =>
    section(at.path.join(' '), helpFor(at, COLUMNS)),
  );
  return [HEADING, section('ken', overviewHelp(COMMANDS, COLUMNS)), ...sections].join('\n');
}

const HEADING = `# Command line

After this page you know every command and every option.

What \`--help\` prints, for every command. This page is written by \`npm run docs\`.

Exit codes: 0 ok · 1 failure, or no match for searches · 2 usage · 3 not found · 4 denied or approval needed ·
5 conflict · 6 a check found something · 70 a bug · 130 interrupted.
`;

function section(title: string, help: string): string {
  return `## ${title}\n\n\`\`\`text\n${help}\n\`\`\`\n`;
}

/** docs/architecture.md with the table and the drawing in their places. */
export function architecturePage(page: string, table: Readonly<Record<string, readonly string[]>>): string {
  const rows = Object.entries(table).map(
    ([part, allowed]) =>
      `| \`${part}\` | ${allowed.map((each) => `\`${each}\``).join(', ') || 'nothing'} |\n`,
  );
  const drawn = between(page, 'import graph', `\`\`\`mermaid\n${importGraph(Object.keys(table))}\`\`\`\n`);
  return between(drawn, 'import table', `| part | may import |\n|---|---|\n${rows.join('')}`);
}

function between(page: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const [before, rest = ''] = page.split(start);
  const [, after = ''] = rest.split(end);
  return `${before}${start}${content}${end}${after}`;
}

/** The parts as they really import each other; an arrow that follows from two others is left out. */
function importGraph(parts: readonly string[]): string {
  const partOf = (file: string) => parts.find((part) => isWithin(file, part)) ?? file;
  const imported = new Map(parts.map((part) => [part, new Set<string>()]));
  for (const file of shippedFiles) {
    for (const name of importsOf(file).filter((each) => each.startsWith('.'))) {
      imported.get(partOf(file))?.add(partOf(path.join(path.dirname(file), name)));
    }
  }
  const reaches = (from: string, to: string): boolean =>
    [...(imported.get(from) ?? [])].some((next) => next !== from && (next === to || reaches(next, to)));
  const arrows = [...imported].flatMap(([from, all]) => {
    const others = [...all].filter((to) => to !== from).sort();
    const direct = others.filter((to) => !others.some((between) => reaches(between, to)));
    return direct.length > 0 ? [`  ${node(from)} --> ${direct.map(node).join(' & ')}\n`] : [];
  });
  return `graph TD\n${arrows.join('')}`;
}

const node = (part: string) => part.replace('domain/', '');
