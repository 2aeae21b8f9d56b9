import { expect, it } from 'vitest';
import { terminalPager } from './pager.ts';

it('shows a text through the program, and handles Ctrl-C again afterwards', async () => {
  const before = process.listeners('SIGINT');
  const pager = terminalPager('true', {}, (program) => `/usr/bin/${program}`);
  expect(await pager.show('A text.\n')).toBe(true);
  expect(process.listeners('SIGINT')).toEqual(before);
});

it.each(['cat', ''])('is none: "%s"', async (command) => {
  expect(await terminalPager(command, {}, () => '/usr/bin/true').show('A text.\n')).toBe(false);
});

it('is none where the program is not found, or is named relative to the current directory', async () => {
  for (const command of ['less', './less'])
    expect(await terminalPager(command, {}, () => undefined).show('A text.\n')).toBe(false);
});
