import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { childProgram } from '../child-program.ts';
import { scaled } from '../scale.ts';
import { killWhileWriting } from './kill-while-writing.ts';
import { onSmallDisk, smallDiskProblem } from './small-disk.ts';

const child = childProgram('reliability/write');

function directory(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'ken-reliability-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it('keeps the old content when the disk is full', (context) => {
  const problem = smallDiskProblem();
  if (problem) return context.skip(problem);
  const root = directory();
  const file = path.join(root, 'a.txt');

  const { stdout, stderr } = onSmallDisk(root, '256k', [process.execPath, child, file, '1000000']);

  expect(stderr).toBe('');
  const fault = (name: string) => ({
    code: 'files/full',
    message: `Cannot write ${name}: the disk is full.`,
    hint: 'Free some space and try again. Nothing was changed.',
  });
  expect(JSON.parse(stdout)).toEqual({
    outcomes: [fault(file), fault(`${file}.new`)],
    content: 'old',
    files: ['a.txt'],
  });
});

it('says so when the directory is read-only', () => {
  const root = directory();
  const file = path.join(root, 'a.txt');
  writeFileSync(file, 'old');
  chmodSync(root, 0o555);
  const isRoot = process.getuid?.() === 0;

  const { stdout, stderr } = spawnSync(
    process.execPath,
    [child, file, '10', isRoot ? '--nobody' : '--self'],
    {
      encoding: 'utf8',
    },
  );
  chmodSync(root, 0o755);

  expect(stderr).toBe('');
  const fault = (name: string) => ({
    code: 'files/unwritable',
    message: `Cannot write ${name}: permission denied.`,
    hint: `Check who owns ${root} and whether you may write there.`,
  });
  expect(JSON.parse(stdout)).toEqual({
    outcomes: [fault(file), fault(`${file}.new`)],
    content: 'old',
    files: ['a.txt'],
  });
});

it('leaves a whole content behind when it is killed, and nothing older than it said', async () => {
  const roots: string[] = [];
  const rewriting = (round: number) => {
    roots[round] = directory();
    const script = childProgram('reliability/rewrite');
    return { command: process.execPath, arguments: [script, path.join(roots[round], 'a.txt'), '40'] };
  };
  const phases = await killWhileWriting(rewriting, scaled(8), ({ phase, acknowledged }, round) => {
    const files = readdirSync(roots[round] ?? '');
    const strays = files.filter((name) => name !== 'a.txt');
    expect(strays.every((name) => /^\.ken-[0-9a-f]{8}-\d+-[0-9a-f]{12}\.tmp$/.test(name))).toBe(true);
    expect(strays.length).toBeLessThanOrEqual(1);
    if (acknowledged.length === 0 && !files.includes('a.txt')) return;
    const lines = readFileSync(path.join(roots[round] ?? '', 'a.txt'), 'utf8').split('\n');
    expect(lines.length).toBe(20_001);
    expect(new Set(lines.slice(0, -1)).size).toBe(1);
    expect(Number(lines[0])).toBeGreaterThanOrEqual(acknowledged.length);
    if (phase === 'after') expect(lines[0]).toBe('40');
  });
  expect(phases.before + phases.inside + phases.after).toBe(scaled(8));
});
