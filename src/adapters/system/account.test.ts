import { userInfo } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { userDirectories } from './account.ts';

const account = accountHome();

function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

const below = (home: string) => ({
  config: path.join(home, '.config/ken'),
  data: path.join(home, '.local/share/ken'),
  state: path.join(home, '.local/state/ken'),
  cache: path.join(home, '.cache/ken'),
});

it('are where XDG puts them, or all in KEN_HOME', () => {
  expect(userDirectories({ HOME: '/home/ada' })).toEqual(below('/home/ada'));
  expect(userDirectories({ HOME: '/home/ada', XDG_DATA_HOME: '/data', XDG_CACHE_HOME: '' })).toEqual({
    ...below('/home/ada'),
    data: '/data/ken',
  });
  expect(userDirectories({ KEN_HOME: '/k', HOME: '/home/ada', XDG_DATA_HOME: '/data' })).toEqual({
    config: '/k/config',
    data: '/k/data',
    state: '/k/state',
    cache: '/k/cache',
  });
});

it.skipIf(account === undefined).each([
  ['no HOME', {}],
  ['an empty HOME', { HOME: '' }],
  ['a relative HOME', { HOME: 'ada' }],
  [
    'relative XDG directories',
    { XDG_CONFIG_HOME: 'c', XDG_DATA_HOME: '.', XDG_STATE_HOME: '', XDG_CACHE_HOME: 'x/y' },
  ],
])('with %s are in the home of the account, never where the command runs', (_, environment) => {
  expect(userDirectories(environment)).toEqual(below(account ?? ''));
});
