import { expect, it } from 'vitest';
import { outsideEntryInWords, outsideGrants, outsideInWords } from './outside-access.ts';

const KEY = 'conversation.tools.t';

it.each([
  [{}, undefined],
  [{ net: [] }, undefined],
  [{ net: ['a.test:443', '[::1]:80'] }, 'It may send anything it knows to a.test:443, [::1]:80.'],
  [{ env: { A: { from: 'env:B' } } }, 'It gets the secrets A (env:B).'],
  [
    { net: ['*.a.test:443'], env: { A: { from: 'keyring:b/c d' }, B: { from: 'keyring:b' } } },
    'It may send anything it knows to *.a.test:443. It gets the secrets A (keyring:b/c d), B (keyring:b).',
  ],
])('says in words what an entry grants: %j', (entry, words) => {
  expect([outsideInWords(outsideGrants(KEY, entry)), outsideEntryInWords(entry)]).toEqual([words, words]);
});

it.each([
  [{ net: ['a.test'] }, `${KEY}.net has a host without a port: "a.test".`],
  [{ net: ['http://a.test:80'] }, `${KEY}.net: "http://a.test:80" is not a host.`],
  [{ net: ['a.test:99999'] }, `${KEY}.net: "a.test:99999" is not a host.`],
  [{ env: { A: {} } }, `${KEY}.env.A names no secret: "".`],
  [{ env: { A: { from: 'file:/etc/passwd' } } }, `${KEY}.env.A names no secret: "file:/etc/passwd".`],
  [{ env: { A: { from: 'keyring:-w' } } }, `${KEY}.env.A names no secret: "keyring:-w".`],
  [{ env: { 'A=B': { from: 'env:A' } } }, `${KEY}.env has a name that no variable has: "A=B".`],
])('refuses %j', (entry, message) => {
  expect(() => outsideGrants(KEY, entry)).toThrow(message);
  expect(outsideEntryInWords(entry)).toBe(message.replace(KEY, 'this tool'));
});
