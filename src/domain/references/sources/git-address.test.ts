import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Fault } from '../../../base/fault.ts';
import { checkRef, parseGitAddress } from './git-address.ts';

it.each([
  ['https://github.com/o/r', 'https', 'github.com', 443, 'https://github.com/o/r'],
  ['https://github.com/o/r.git/', 'https', 'github.com', 443, 'https://github.com/o/r.git'],
  ['HTTPS://GitHub.COM:443/o/r', 'https', 'github.com', 443, 'https://github.com/o/r'],
  ['http://wiki.corp:8080/r', 'http', 'wiki.corp', 8080, 'http://wiki.corp:8080/r'],
  ['https://[::1]/r', 'https', '::1', 443, 'https://[::1]/r'],
  ['https://0x7f.1/r', 'https', '127.0.0.1', 443, 'https://127.0.0.1/r'],
  ['git://host.example/r.git', 'git', 'host.example', 9418, 'git://host.example/r.git'],
  ['ssh://git@host.example:2222/o/r.git', 'ssh', 'host.example', 2222, 'ssh://git@host.example:2222/o/r.git'],
  ['git@github.com:o/r.git', 'ssh', 'github.com', 22, 'git@github.com:o/r.git'],
])('%s', (text, kind, host, port, url) => {
  const address = parseGitAddress(text);
  if (address.kind === 'file') throw new Error('a file');
  expect([address.kind, address.host.text, address.port, address.url]).toEqual([kind, host, port, url]);
});

it.each([
  ['/srv/r', '/srv/r'],
  ['./r', './r'],
  ['..', '..'],
  ['~/r', '~/r'],
  ['file:///srv/a%20b', '/srv/a b'],
  ['file://localhost/srv/r', '/srv/r'],
])('%s is on this machine, for a person only', (text, path) => {
  expect(parseGitAddress(text, { isTyped: true })).toEqual({ kind: 'file', path });
  expect(() => parseGitAddress(text)).toThrow(expect.objectContaining({ code: 'git/refused' }));
});

it.each([
  '--upload-pack=touch x',
  '-oProxyCommand=x',
  'ext::sh -c "touch x"',
  'EXT::sh -c x',
  'fd::17',
  'ftp://host/r',
  'data:text/plain,x',
  'javascript:x',
  'https://user@host.example/r',
  'https://user:pass@host.example/r',
  'ssh://git:pass@host.example/r',
  'ssh://-oProxyCommand=x/r',
  'ssh://-l@host.example/r',
  'ssh://host.example/-x',
  'git@-oProxyCommand=x:r',
  '-x@host:r',
  'git@host:-x',
  'git@host:../../etc',
  'https://host.example/../x\u0000',
  'https://host.example/r\n--upload-pack=x',
  'https://host.example/r?a=b',
  'https://host.example/r#main',
  'https://host.example/',
  'https://host.example',
  'https:///r',
  'ssh://ho%73t.example/r',
  'ssh://ho$(x)st/r',
  'owner/repo',
  'repo',
  '',
  ' ',
  `https://host.example/${'a'.repeat(3000)}`,
])('%j is refused', (text) => {
  expect(() => parseGitAddress(text, { isTyped: true })).toThrow(Fault);
});

it.each([
  'main',
  'v1.0',
  'feature/tea-time',
  'refs/heads/main',
  'a@b',
  '日本',
  'x'.repeat(255),
  'a'.repeat(40),
])('the ref %s may be', (ref) => expect(() => checkRef(ref)).not.toThrow());

it.each([
  '-x',
  '--upload-pack=x',
  '',
  'a b',
  'a..b',
  'a:b',
  'a^',
  'a~1',
  'a*',
  'a?',
  'a[',
  'a\\b',
  'a\0',
  'a\n',
  '@',
  'a@{1}',
  '/a',
  'a/',
  'a//b',
  '.a',
  'a/.b',
  'a.',
  'a.lock',
  'a.lock/b',
  'x'.repeat(256),
])('the ref %j is refused', (ref) => expect(() => checkRef(ref)).toThrow(Fault));

it('what comes through is plain, whatever goes in', () => {
  const piece = fc.constantFrom(
    'https://',
    'ssh://',
    'git@',
    'host',
    '.example',
    ':',
    '/',
    '-',
    '%2e',
    '\\',
    '@',
    "'",
    '$(x)',
    ' ',
    '..',
    '::',
    '22',
    '[::1]',
    '`',
    '\n',
    'r',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      let address: ReturnType<typeof parseGitAddress>;
      try {
        address = parseGitAddress(pieces.join(''));
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
        return;
      }
      if (address.kind === 'file') throw new Error('a file');
      expect(address.url).toMatch(
        /^((https?|git):\/\/|ssh:\/\/(\w[\w.-]*@)?|\w[\w.-]*@)(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d+)?[/:]\S/,
      );
      expect(address.url).not.toContain('\n');
      expect(address.host.text).toMatch(/^[a-z0-9_.:-]+$/);
    }),
    { numRuns: 5000 },
  );
});
