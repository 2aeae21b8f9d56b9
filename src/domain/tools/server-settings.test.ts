import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ServerEntry, serverNamed, unknownServer } from './server-settings.ts';

const rest = { optional: false, startup_timeout_s: 20 };
const named = (entry: Partial<ServerEntry>, environment = {}) =>
  serverNamed({ s: { ...rest, ...entry } }, 's', environment);
const variable = (name: string) => `\${${name}}`;

it('reads a program and an address', () => {
  expect(
    named({ command: 'git-mcp', args: ['--ro'], env: { A: 'b' }, optional: true, startup_timeout_s: 3 }),
  ).toEqual({
    name: 's',
    place: { kind: 'process', command: ['git-mcp', '--ro'], environment: { A: 'b' } },
    isOptional: true,
    startupMs: 3000,
  });
  const headers = { Authorization: `Bearer ${variable('TOKEN')}` };
  expect(named({ url: 'https://x/mcp', headers }, { TOKEN: 't' }).place).toEqual({
    kind: 'http',
    url: 'https://x/mcp',
    headers: { Authorization: 'Bearer t' },
  });
});

it.each([
  [{}, 'providers.mcp.s has neither "command" nor "url".'],
  [{ command: 'a', url: 'https://x' }, 'providers.mcp.s has both "command" and "url".'],
  [
    { command: 'a', env: { K: variable('GONE') } },
    'providers.mcp.s.env.K names the environment variable GONE, which is not set.',
  ],
])('refuses %j', (entry, message) => {
  expect(() => named(entry, {})).toThrow(message);
});

it.each(['constructor', '__proto__', 'toString', 't'])('knows no server named %s', (name) => {
  expect(() => serverNamed({ s: { ...rest, command: 'a' } }, name, {})).toThrow(
    `There is no server "${name}"`,
  );
});

it('leaves text without references as it is, and what a variable holds too', () => {
  const plain = fc.string().filter((text) => !text.includes('$'));
  fc.assert(
    fc.property(plain, fc.string(), (text, value) => {
      const { place } = named({ command: 'a', env: { K: `${text}${variable('V')}` } }, { V: value });
      expect(place).toMatchObject({ environment: { K: `${text}${value}` } });
    }),
  );
});

it.each<[readonly (readonly string[])[], string]>([
  [[['providers', 'mcp', 't', 'command']], 'The server "t" of this workspace is left out.'],
  [[['providers', 'mcp']], 'The server "t" of this workspace is left out.'],
  [[['providers', 'mcp', 's', 'command']], 'There is no server "t" in providers.mcp.'],
  [[['conversation', 'tools', 't']], 'There is no server "t" in providers.mcp.'],
  [[], 'There is no server "t" in providers.mcp.'],
])('tells a server that is left out (%j) from one that is nowhere', (leftOut, message) => {
  expect(unknownServer('t', [], leftOut).message).toBe(message);
});
