/** The tutorial, followed word for word. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandbox } from '../cli/ken.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { scriptedModel } from './model-script.ts';

const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/tools-tutorial.md'), 'utf8');
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));
/** The compilers of this project stand in for those that would be installed. */
const environment = { NODE_PATH: path.join(root, 'node_modules') };

it('leads from nothing to a tool that the assistant calls', async () => {
  const model = await scriptedModel({ call: 'hello', with: { path: 'README.md' } }, 'Two words.');
  const { shell, write, ken, home } = sandbox();
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
      const { code, stdout, stderr } = await shell(line, { environment });
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

const CARELESS = `import { tool } from './ken-tool.ts';
const GIVES = { half: '\\ud83d!', nothing: undefined, number: 3 };
export const run = tool({
  run({ what }) {
    if (what === 'throws') throw new Error('half of it: \\ud83d');
    return GIVES[what];
  },
});
`;

it('takes what a careless tool gives', async () => {
  const { ken, write } = sandbox('');
  await ken(['tools', 'new', 'hello']);
  write('.ken/tools/hello/tool.ts', CARELESS);
  expect(await ken(['tools', 'build', 'hello'], { environment })).toMatchObject({ code: 0 });
  const outcomeOf = async (what: string) => {
    const { stdout } = await ken([
      'tools',
      'run',
      '.ken/tools/hello.wasm',
      JSON.stringify({ what }),
      '--json',
    ]);
    return JSON.parse(stdout).outcome;
  };
  expect(await outcomeOf('half')).toEqual({ type: 'success', content: '\ufffd!' });
  expect(await outcomeOf('nothing')).toMatchObject({
    type: 'error',
    message: 'The tool gave neither a text nor an outcome, but undefined.',
  });
  expect(await outcomeOf('number')).toMatchObject({
    message: 'The tool gave neither a text nor an outcome, but 3.',
  });
  expect(await outcomeOf('throws')).toMatchObject({ message: 'half of it: \ufffd' });
});
