import { constants } from 'node:os';
import { expect, it } from 'vitest';
import { Fault } from '../../base/fault.ts';
import { errorAsJson, errorAsText, knownError } from './errors.ts';

const cause = new Error('the line is wet');
const fault = new Fault('files/unreadable', 'Cannot read a.txt.', { hint: 'Dry it.', cause });

it('says what happened and what to do', () => {
  expect(errorAsText(fault, false)).toBe('ken: Cannot read a.txt.\nhint: Dry it.');
  expect(errorAsText(new Fault('cli/usage', 'No.'), true)).toBe('ken: No.');
});

it('adds the cause when asked to say more', () => {
  expect(errorAsText(fault, true)).toMatch(
    /^ken: Cannot read a\.txt\.\nhint: Dry it\.\ncause: Error: the line is wet\n {4}at /,
  );
});

it('says it in JSON', () => {
  expect(errorAsJson(fault)).toBe(
    '{"error":{"code":"files/unreadable","message":"Cannot read a.txt.","hint":"Dry it."}}',
  );
  expect(errorAsJson(new Fault('cli/usage', 'No.'))).toBe(
    '{"error":{"code":"cli/usage","message":"No.","hint":null}}',
  );
});

it('takes whatever is thrown for a bug', () => {
  expect(errorAsText('a word', false)).toMatch(/^'a word'\nThis is a bug in ken\. Please report it /);
});

it.each([
  ['ENOTDIR', 'files/unwritable', 'ken cannot use /dev/null/ken: not a directory.'],
  ['EACCES', 'files/unwritable', 'ken cannot use /dev/null/ken: permission denied.'],
  ['ENOSPC', 'files/full', 'ken cannot use /dev/null/ken: no space left on device.'],
])('knows what the system refuses: %s', (code, fault, message) => {
  const errno = -constants.errno[code as 'EACCES'];
  const error = Object.assign(new Error(code), { code, errno, syscall: 'mkdir', path: '/dev/null/ken' });
  expect(knownError(error)).toMatchObject({ code: fault, message });
  expect(knownError(new Error('outside', { cause: error }))).toMatchObject({ code: fault });
  const said = new Fault('files/unreadable', 'Cannot read a.txt.', { cause: error });
  expect(knownError(said)).toBe(said);
});

it.each(['EINVAL', 'EBADF', 'ENOENT'])('takes %s for a bug', (code) => {
  const errno = -constants.errno[code as 'EACCES'];
  const error = Object.assign(new Error(code), { code, errno, syscall: 'open', path: '/x' });
  expect(knownError(error)).toBe(error);
});

it('knows an answer that is longer than a text can be', () => {
  const tooLong = () => 'x'.repeat(2 ** 28).padEnd(2 ** 30);
  let error: unknown;
  try {
    tooLong();
  } catch (thrown) {
    error = knownError(thrown);
  }
  expect(error).toMatchObject({ code: 'files/too-long', message: 'This is longer than a text can be.' });
});
