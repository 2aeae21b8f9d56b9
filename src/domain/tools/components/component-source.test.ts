import { expect, it } from 'vitest';
import { componentSource } from './component-source.ts';

const ROOT = '/home/ada/garden';
const DIGEST = 'ab'.repeat(32);
const source = (wasm: string) =>
  componentSource({
    key: 'conversation.tools.t.wasm',
    wasm,
    root: ROOT,
    trustedDigests: new Map([
      ['.ken/tools/trusted.wasm', DIGEST],
      ['/opt/trusted.wasm', DIGEST],
    ]),
  });

it.each([
  ['.ken/tools/trusted.wasm', { file: `${ROOT}/.ken/tools/trusted.wasm`, sha256: DIGEST }],
  ['/opt/trusted.wasm', { file: '/opt/trusted.wasm', sha256: DIGEST }],
  ['/opt/own.wasm', { file: '/opt/own.wasm', outsideOf: ROOT }],
  [`sha256:${DIGEST}`, { installed: DIGEST }],
])('is found: %s', (wasm, found) => {
  expect(source(wasm)).toEqual(found);
});

it.each([
  ['.ken/tools/own.wasm', 'wasm/untrusted'],
  [`${ROOT}/own.wasm`, 'wasm/untrusted'],
  ['/home/ada/../ada/garden/own.wasm', 'wasm/untrusted'],
  ['../own.wasm', 'config/invalid'],
  ['sha256:abc', 'config/invalid'],
])('is refused: %s', (wasm, code) => {
  expect(() => source(wasm)).toThrow(expect.objectContaining({ code }));
});
