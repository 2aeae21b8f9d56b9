import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { manPages } from '../scripts/man-pages.ts';
import { type CommandPath, walkCommands } from '../src/entry/cli/find-command.ts';
import { helpFor, overviewHelp } from '../src/entry/cli/help.ts';
import { COMMANDS } from '../src/entry/cli/registry.ts';

const WIDE = 10_000;
const pages = await manPages(COMMANDS);
const commands = await walkCommands(COMMANDS);

/** The text that a reader sees, in one line: roff's requests and escapes undone by rules of their own. */
function readable(roff: string): string {
  const marks: Readonly<Record<string, string>> = { aq: "'", ha: '^', ti: '~', ga: '`', dq: '"' };
  const text = roff
    .split('\n')
    .map((line) => line.replace(/^\.(?:BR?|SH|SS)\s+/, '').replace(/^\.[A-Z]{2}.*$/, ''))
    .map((line) => line.replace(/^"(.*)"$/, '$1'))
    .join(' ')
    .replace(/\\\[u([0-9A-F]+)\]/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\\((..)/g, (_, mark: string) => marks[mark] ?? '?')
    .replace(/\\([-&e])/g, (_, mark: string) => ({ '-': '-', '&': '', e: '\\' })[mark] ?? '?');
  return inOneLine(text);
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const pageOf = ({ path }: CommandPath) => readable(pages.get(`${path.slice(0, 2).join('-')}.1`) ?? '');

/** Lines of the help, without its headings. */
function linesOf(help: string): string[] {
  return help
    .split('\n')
    .map(inOneLine)
    .filter((line) => line && !line.endsWith(':'));
}

it('has a page for ken and one for each of its commands', () => {
  const names = commands.filter(({ path }) => path.length === 2).map(({ path }) => `${path.join('-')}.1`);
  expect([...pages.keys()].sort()).toEqual(['ken.1', ...names].sort());
  expect(manifest.man).toEqual([...pages.keys()].map((name) => `./dist/man/${name}`).sort());
});

it.each(commands.map((at) => [at.path.join(' '), at] as const))(
  'says of %s all that --help says',
  (_, at) => {
    const page = pageOf(at);
    expect(linesOf(helpFor(at, WIDE)).filter((line) => !page.includes(line))).toEqual([]);
  },
);

it('says of ken all that --help says', () => {
  const page = readable(pages.get('ken.1') ?? '');
  expect(linesOf(overviewHelp(COMMANDS, WIDE)).filter((line) => !page.includes(line))).toEqual([]);
});

const hasGroff = spawnSync('groff', ['--version']).status === 0;

it.skipIf(!hasGroff)('is laid out by groff without a warning', () => {
  const all = [...pages.values()].join('\n');
  const { stderr, stdout } = spawnSync('groff', ['-man', '-Tutf8', '-ww'], { input: all, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toContain('ken help <command>');
});
