import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';

const SOURCE = path.join(import.meta.dirname, '../../src/adapters/paths/change-directory.ts');

/** Temporary names of a process that has ended. */
function namesOfDeadProcess(): { file: string; directory: string } {
  const script = `import { temporaryDirectory, temporaryName } from ${JSON.stringify(SOURCE)};
    console.log(JSON.stringify({ file: temporaryName(), directory: temporaryDirectory('new', '1m7f0t43mgpp') }))`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
  );
}

it('what a killed process left is named by doctor, and removed by the next command that writes there', async () => {
  const place = sandboxHere('');
  const { file, directory } = namesOfDeadProcess();
  const config = place.write(`.ken/${file}`, 'half');
  const conversation = path.join(place.root, '.ken/conversations', directory);
  mkdirSync(conversation, { recursive: true });
  const { checks } = JSON.parse((await place.ken(['doctor', '--json'])).stdout);
  expect(checks.find(({ id }: { id: string }) => id === 'repairs')).toMatchObject({
    status: 'warning',
    message: `${config} was left behind by a crash, and 1 more`,
  });
  await place.ken(['config', 'set', 'assistant.name', 'ada']);
  expect(existsSync(config)).toBe(false);
  await place.ken(['q', '-n', 'What?']);
  expect(readdirSync(path.dirname(conversation)).filter((name) => name.startsWith('.'))).toEqual([]);
});

it('what a running process writes stays', async () => {
  const place = sandboxHere('');
  const { file } = namesOfDeadProcess();
  const running = place.write(`.ken/${file.replace(/-\d+-/, `-${process.ppid}-`)}`, 'half');
  await place.ken(['config', 'set', 'assistant.name', 'ada']);
  expect(existsSync(running)).toBe(true);
});
