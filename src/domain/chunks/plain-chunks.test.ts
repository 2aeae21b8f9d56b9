import { expect, it } from 'vitest';
import type { Chunk } from './chunk.ts';
import { expectWholeFile, itCutsFiles } from './chunker.contract.ts';
import { lineChunks, plainChunker, plainChunks } from './plain-chunks.ts';

itCutsFiles('plain', () => plainChunker);
itCutsFiles('lines', () => ({ chunk: async ({ text }) => lineChunks(text) }));

function cut(path: string, text: string): Chunk[] {
  const chunks = plainChunks({ path, text });
  expectWholeFile({ path, text }, chunks);
  return chunks;
}

const outline = (chunks: readonly Chunk[]) =>
  chunks.map(({ heading, firstLine, lastLine }) => [heading, firstLine, lastLine]);

/** So many bytes in lines of forty. */
const prose = (bytes: number, word = 'word') =>
  `${`${word} `.repeat(8).slice(0, 39).trimEnd().padEnd(39, '.')}\n`.repeat(bytes / 40);

it('cuts Markdown by heading and keeps the headings above', () => {
  const text = [
    '---\ntitle: x\n---\n',
    '# Guide\n\n',
    prose(1600),
    '## Install ##\n\n',
    prose(1600),
    '### On [Linux](x.md) `now`\n\n',
    prose(2000),
    '\nUnderlined\n----------\n\n',
    prose(1600),
  ].join('');
  expect(outline(cut('docs/guide.md', text))).toEqual([
    ['Guide', 1, 45],
    ['Guide › Install', 46, 87],
    ['Guide › Install › On Linux now', 88, 140],
    ['Guide › Underlined', 141, 183],
  ]);
});

it('joins small neighbours under the headings that they share', () => {
  const section = (name: string) => `## ${name}\n\n${prose(440)}\n`;
  const text = `# All\n\n${prose(1600)}\n${['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map(section).join('')}`;
  expect(outline(cut('a.md', text)).map(([heading]) => heading)).toEqual([
    'All',
    'All › One, Two, Three',
    'All › Four, Five, Six',
  ]);
});

it('takes nothing inside a fence for a heading, and cuts a fence above the cap only', () => {
  const fence = (bytes: number) => `\`\`\`sh\n# no heading\n${prose(bytes)}\`\`\`\n`;
  const whole = `# A\n\n${prose(800)}\n${fence(5200)}\n${prose(1200)}`;
  expect(outline(cut('a.md', whole))).toEqual([
    ['A', 1, 23],
    ['A', 24, 157],
    ['A', 158, 187],
  ]);
  const above = cut('a.md', `# A\n\n${fence(9600)}`);
  expect(above.length).toBeGreaterThan(2);
  expect(above.every(({ heading }) => heading === 'A')).toBe(true);
});

it('finds no heading in comments, verbatim HTML, lists and indented code', () => {
  const text = '<!--\n# no\n-->\n\n<pre>\n# no\n</pre>\n\n    # no\n\n- item\n---\n#hashtag\n\n# Yes\n';
  expect(outline(cut('a.md', text))).toEqual([['Yes', 1, 15]]);
});

it('names JSON by its keys', () => {
  const list = (n: number) =>
    Object.fromEntries(Array.from({ length: n }, (_, at) => [`key${at}`, '{"[,'.repeat(10)]));
  const value = {
    name: 'x',
    scripts: list(40),
    dependencies: { dev: list(40), run: list(40) },
    rows: [list(40), list(40)],
  };
  const headings = outline(cut('package.json', JSON.stringify(value, null, 2))).map(([heading]) => heading);
  expect(headings).toEqual([
    'scripts',
    'dependencies › dev',
    'dependencies › run',
    'rows › [0]',
    'rows › [1]',
  ]);
});

it('names TOML by its tables, with the comments above them', () => {
  const values = Array.from({ length: 50 }, (_, at) => `key${at} = "some value that is long"\n`).join('');
  const text = `top = 1\n# about\n[package]\n${values}text = """\n[no table]\n"""\n[[bin.x]]\n${values}`;
  expect(outline(cut('Cargo.toml', text))).toEqual([
    ['package', 1, 56],
    ['bin.x', 57, 107],
  ]);
});

it('names YAML by its keys, and leaves texts in it alone', () => {
  const values = (indent: string) =>
    Array.from({ length: 50 }, (_, at) => `${indent}key${at}: some value that is long\n`).join('');
  const script = `    run: |\n${'      no_key: value of a script\n'.repeat(50)}`;
  const text = `on: push\nenv:\n${values('  ')}# the jobs\njobs:\n  build:\n${script}  "test it":\n    needs:\n    - a\n${values('    ')}`;
  expect(outline(cut('ci.yml', text))).toEqual([
    ['on, env', 1, 52],
    ['jobs › build', 53, 106],
    ['jobs › test it', 107, 159],
  ]);
});

it('names what is defined in a language without a grammar', () => {
  const body = (indent: string) => `${indent}let value = compute(value)\n`.repeat(55);
  const text = `import X\n\n/// A thing.\n@objc\npublic final class Thing {\n  func first() {\n${body('    ')}  }\n\n  /// Second.\n  func second(a: Int) {\n${body('    ')}  }\n}\n\nfunc free() {\n${body('  ')}}\n`;
  expect(outline(cut('a.swift', text))).toEqual([
    ['Thing › first', 1, 63],
    ['Thing › second', 64, 123],
    ['free', 124, 180],
  ]);
});

it('begins a chunk of lines after a blank line and far left, never with what closes', () => {
  const text = `start {\n${'    deep\n\n'.repeat(20)}}\n\nnext {\n${'    deep\n'.repeat(30)}}\n`.repeat(20);
  const firsts = lineChunks(text).map((chunk) => chunk.text.split('\n')[0]);
  expect([...new Set(firsts)]).toEqual(['start {', 'next {']);
});

it('names the first few of many small neighbours', () => {
  const text = Array.from({ length: 1000 }, (_, at) => `k${at}: 1\n`).join('');
  const [first] = cut('a.yaml', text);
  expect(first?.heading).toBe('k0, k1, k2, k3, k4, k5, k6, k7, …');
});
