import path from 'node:path';
import { expect, it } from 'vitest';
import { witFilesIn } from '../built-files.ts';
import { hostTypes } from '../types/host-types.ts';
import { NO_FILES } from './remote-files.ts';
import { createWasi } from './wasi.ts';

const host = hostTypes(witFilesIn(path.join(import.meta.dirname, '../../../../wit')));

it('offers nothing but what the WIT has, without anything inherited', () => {
  const { imports } = createWasi({ outputBytes: 1, files: NO_FILES, directories: [] });
  expect(Object.getPrototypeOf(imports)).toBeNull();
  for (const [name, members] of Object.entries(imports)) {
    const { types, functions } = host.interface(`${name}@0.2.0`) ?? {};
    expect(Object.getPrototypeOf(members)).toBeNull();
    const offered = Object.entries(members).flatMap(([key, member]) => offeredNames(key, member));
    expect([...(types?.keys() ?? []), ...(functions?.keys() ?? [])]).toEqual(expect.arrayContaining(offered));
  }
});

const CONSTRUCTORS = ['fields', 'outgoing-request', 'request-options'];

function offeredNames(key: string, member: unknown): string[] {
  if (typeof member !== 'function') throw new Error(`${key} is not a function`);
  const name = kebab(key);
  if (!/^[A-Z]/.test(key)) return [name];
  expect(Object.getPrototypeOf(member)).toBeNull();
  expect(Object.getPrototypeOf(member.prototype)).toBeNull();
  const constructors = CONSTRUCTORS.includes(name) ? [`[constructor]${name}`] : [];
  if (constructors.length === 0)
    expect(() => Reflect.construct(member, [])).toThrow('only the host makes resources');
  const statics = Object.keys(Object.getOwnPropertyDescriptors(member))
    .filter((key) => !['length', 'name', 'prototype', 'arguments', 'caller'].includes(key))
    .map((key) => `[static]${name}.${kebab(key)}`);
  const methods = Object.getOwnPropertyNames(member.prototype).map(
    (method) => `[method]${name}.${kebab(method)}`,
  );
  return [name, ...constructors, ...statics, ...methods];
}

function kebab(name: string): string {
  return name.replaceAll(/(?!^)[A-Z]/g, '-$&').toLowerCase();
}
