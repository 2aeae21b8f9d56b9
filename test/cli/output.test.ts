import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandbox } from './ken.ts';
import { LAUNCHER as launcher } from './launcher.ts';

const SCHEMA = 'config schema';

function shell(script: string, directory: string): Promise<{ code: number | null; stderr: string }> {
  const child = spawn('sh', ['-c', script], {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: directory, KEN: `${process.execPath} ${launcher}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })));
}

it('writes the same to a file, a pipe and a socket', async () => {
  const place = sandbox();
  const { stdout } = await place.ken(SCHEMA.split(' '));
  expect(stdout.length).toBeGreaterThan(10_000);
  expect(await shell(`$KEN ${SCHEMA} > file && $KEN ${SCHEMA} | cat > pipe`, place.root)).toEqual({
    code: 0,
    stderr: '',
  });
  for (const name of ['file', 'pipe']) {
    expect(readFileSync(path.join(place.root, name), 'utf8')).toBe(stdout);
  }
});

it('is quiet when the reader of a pipe is gone', async () => {
  const { root } = sandbox();
  const script = `{ $KEN ${SCHEMA}; echo $? > code; } | true; $KEN ${SCHEMA} | head -c 1 > /dev/null`;
  expect(await shell(script, root)).toEqual({ code: 0, stderr: '' });
  expect(readFileSync(path.join(root, 'code'), 'utf8')).toBe('0\n');
});

it('appends where it is told to, and tells a file that cannot be written', async () => {
  const { root } = sandbox();
  writeFileSync(path.join(root, 'log'), 'before\n');
  expect(await shell('$KEN --version >> log && $KEN help >> log', root)).toEqual({ code: 0, stderr: '' });
  expect(readFileSync(path.join(root, 'log'), 'utf8')).toMatch(/^before\n\d+\.\d+\.\d+\n.*Usage:/s);

  closeSync(openSync(path.join(root, 'empty'), 'w'));
  const { code, stderr } = await shell('$KEN help 1< empty', root);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'ken: Standard output cannot be written: EBADF: bad file descriptor, write.\n',
  });
});
