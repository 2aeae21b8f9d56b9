import { describe, expect, it } from 'vitest';
import { notebook } from '../../../../test/documents.ts';
import { notebookText } from './notebook-text.ts';

const textOf = (...cells: object[]) => notebookText(notebook(cells));
const prose = (source: string | string[]) => ({ cell_type: 'markdown', source });
const code = (source: string, ...outputs: object[]) => ({ cell_type: 'code', source, outputs });

it('reads prose, code and printed results, cell by cell', () => {
  const printed = {
    output_type: 'stream',
    name: 'stdout',
    text: ['3 pumps\n', '\u001b[31mone\u001b[0m broken\n'],
  };
  const shown = {
    output_type: 'execute_result',
    data: { 'text/plain': ['   a\n0  1'], 'text/html': '<script>alert(1)</script>', 'image/png': 'iVBOR' },
  };
  const failed = { output_type: 'error', ename: 'KeyError', evalue: "'tide'", traceback: ['x'] };
  expect(
    textOf(
      prose(['# Pumps\n', '\n', 'Seven of them.']),
      code('count(pumps)', printed, shown),
      code('', failed),
    ),
  ).toBe(`# Pumps

## Cell 1

### Pumps

Seven of them.

## Cell 2

\`\`\`python
count(pumps)
\`\`\`

\`\`\`
3 pumps
one broken
\`\`\`

\`\`\`
   a
0  1
\`\`\`

## Cell 3

\`\`\`
KeyError: 'tide'
\`\`\`
`);
});

it('reads the third version of the format', () => {
  const cells = [
    { cell_type: 'heading', level: 2, source: ['Old'] },
    { cell_type: 'code', input: 'print 1', outputs: [{ output_type: 'stream', text: '1' }] },
  ];
  const old = Buffer.from(JSON.stringify({ nbformat: 3, worksheets: [{ cells }] }));
  expect(notebookText(old)).toBe(
    '# Untitled\n\n## Cell 1\n\n#### Old\n\n## Cell 2\n\n```\nprint 1\n```\n\n```\n1\n```\n',
  );
});

it('lets no text pass for a heading of its own, or hide one', () => {
  const text = textOf(
    prose('Title\n```\n## Cell 9'),
    code('## Cell 8\n```'),
    prose('## Cell 7'),
    prose('   #x'),
  );
  expect(text.split('\n').filter((line) => /^## Cell \d+$/.test(line))).toEqual(
    [1, 2, 3, 4].map((number) => `## Cell ${number}`),
  );
  expect(text).toContain('## Cell 2\n\n````python\n## Cell 8 \n```\n````\n');
});

it('shortens long results', () => {
  const text = textOf(code('x', { output_type: 'stream', text: '😀'.repeat(9_000) }));
  expect(text.length).toBeLessThan(4_200);
  expect(text).toMatch(/😀\n\(cut\)\n```\n$/u);
});

describe('a hostile notebook ends in a sentence', () => {
  it.each<[string, string | Buffer, string]>([
    ['nothing', '', 'it is not a notebook'],
    ['a list', '[]', 'it is not a notebook'],
    ['another object', '{"cells": 1}', 'it is not a notebook'],
    ['cells that are none', '{"cells": [null, 1, "x", []]}', 'it holds no text'],
    ['nesting', `{"cells": ${'['.repeat(300)}${']'.repeat(300)}}`, 'it is nested too deeply'],
    ['nesting without end', `{"cells": ${'['.repeat(5_000_000)}`, 'it is not a notebook'],
    ['more cells than anybody reads', `{"cells": [${'0,'.repeat(20_000)}0]}`, 'it has more than 20000 cells'],
    ['more text', notebook([prose('a'.repeat(9_000_000))]), 'its text is too long'],
    ['invalid bytes', Buffer.from([0xff, 0xfe, 0x00]), 'it is not a notebook'],
  ])('%s', (_, bytes, problem) => {
    expect(() => notebookText(Buffer.from(bytes))).toThrow(problem);
  });

  it('of members with the names of methods', () => {
    const odd =
      '{"__proto__": {"cells": [1]}, "cells": [{"cell_type": "code", "source": {"toString": 1}}, {"cell_type":"markdown","source":"ok"}]}';
    expect(notebookText(Buffer.from(odd))).toBe('# Untitled\n\n## Cell 1\n\n## Cell 2\n\nok\n');
  });
});
