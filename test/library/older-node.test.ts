import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const library = path.join(import.meta.dirname, '../../dist/library.js');

it.each([
  [
    'an older Node',
    "'versions', { value: { ...process.versions, node: '22.3.0' } }",
    'ken needs Node 24.16 or newer, but neither 25 nor 26.0; this is 22.3.0.',
  ],
  ['Windows', "'platform', { value: 'win32' }", 'ken does not support Windows yet; Linux and macOS work.'],
])('says in one sentence why it does not work on %s', (_, property, sentence) => {
  const script = `import(${JSON.stringify(library)}).then(() => console.log('works'), (error) => console.log(error.message));`;
  const pretending = `Object.defineProperty(process, ${property});`;
  const { stdout } = spawnSync(process.execPath, ['-e', pretending + script], { encoding: 'utf8' });
  expect(stdout).toBe(`${sentence}\n`);
});
