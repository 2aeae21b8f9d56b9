/** The tutorial, followed word for word. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandbox } from '../cli/ken.ts';

const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/tools-tutorial.md'), 'utf8');
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));
/** The compilers of this project stand in for those that would be installed. */
const environment = { NODE_PATH: path.join(root, 'node_modules') };

it('leads from nothing to a tool that runs', async () => {
  const { shell, write } = sandbox();
  let said = '';
  expect(blocks.map(({ kind }) => kind)).toEqual([
    'sh',
    'sh',
    'sh',
    'sh',
    'text',
    'ts',
    'sh',
    'text',
    'sh',
    'sh',
  ]);
  for (const { kind, text } of blocks) {
    if (kind === 'text') expect(said).toBe(text);
    if (kind === 'ts') write('.ken/tools/hello/tool.ts', text);
    if (kind !== 'sh') continue;
    for (const line of text.trim().split('\n')) {
      const { code, stdout, stderr } = await shell(line, { environment });
      expect({ line, code, problem: code === 0 ? '' : stderr }).toEqual({ line, code: 0, problem: '' });
      said = stdout;
    }
  }
});
