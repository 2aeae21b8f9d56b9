/** The tutorial, followed word for word. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandbox } from '../cli/ken.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { withCompilers } from './compilers.ts';
import { scriptedModel } from './model-script.ts';

const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/tools-tutorial.md'), 'utf8');
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));
it('leads from nothing to a tool that the assistant calls', async () => {
  const model = await scriptedModel({ call: 'hello', with: { path: 'README.md' } }, 'Two words.');
  const { shell, write, ken, home } = withCompilers(sandbox());
  // Stands in for the person at the terminal.
  writeOwnConfig(home, `${model.config}approvals.noninteractive = "allow"\nnet.allow = ["127.0.0.1"]\n`);
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
    'toml',
    'sh',
    'text',
  ]);
  for (const { kind, text } of blocks) {
    if (kind === 'text') expect(said).toBe(text);
    if (kind === 'ts') write('.ken/tools/hello/tool.ts', text);
    if (kind === 'toml') write('.ken/config.toml', text);
    if (kind !== 'sh') continue;
    for (const line of text.trim().split('\n')) {
      const { code, stdout, stderr } = await shell(line);
      expect({ line, code, problem: code === 0 ? '' : stderr }).toEqual({ line, code: 0, problem: '' });
      said = stdout;
    }
  }
  expect(await ken(['q', 'How many words are in README.md?'])).toMatchObject({
    code: 0,
    stdout: 'Two words.\n',
  });
  expect(JSON.stringify(model.sent().at(-1))).toContain('README.md has 2 words.');
});
