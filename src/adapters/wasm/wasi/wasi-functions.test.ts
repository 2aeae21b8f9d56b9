import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createWasi } from './wasi.ts';
import { wasiInterfaces, wasiNames } from './wasi-functions.ts';

const DEPS = path.join(import.meta.dirname, '../../../../wit/deps');

/** Interfaces that WASI marks as unstable or that are for exports, and that this host does not offer. */
const NOT_OFFERED = ['wasi:clocks/timezone', 'wasi:cli/run'];

/** The names of every interface in `wit/deps`, read line by line. */
function namesInWit(): Map<string, string[]> {
  const interfaces = new Map<string, string[]>();
  for (const directory of readdirSync(DEPS, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const wit = readFileSync(path.join(DEPS, directory.name, 'package.wit'), 'utf8');
    const from = /^package ([\w:]+)@/.exec(wit)?.[1] ?? '';
    for (const [, name, body = ''] of wit.matchAll(/^interface ([\w-]+) \{\n([\s\S]*?)^\}/gm)) {
      interfaces.set(`${from}/${name}`, namesInInterface(body));
    }
  }
  return interfaces;
}

function namesInInterface(body: string): string[] {
  let resource: string | undefined;
  return body.split('\n').flatMap((line) => {
    const [, opened, end] = /^ +resource ([\w-]+)( \{|;)$/.exec(line) ?? [];
    if (opened !== undefined) {
      if (end !== ';') resource = opened;
      return [`resource ${opened}`];
    }
    if (/^ +\}$/.test(line)) resource = undefined;
    const name = /^ +%?([\w-]+): func\(/.exec(line)?.[1];
    if (name === undefined) return [];
    return [resource === undefined ? name : `[method]${resource}.${name}`];
  });
}

it('are those of the WIT', () => {
  const inWit = namesInWit();
  for (const name of NOT_OFFERED) expect(inWit.delete(name)).toBe(true);
  const inTable = new Map(wasiInterfaces.map((name) => [name, [...(wasiNames(name) ?? [])].sort()]));
  expect(inTable).toEqual(new Map([...inWit].map(([name, names]) => [name, names.sort()])));
});

it('are all that the host has, without anything inherited', () => {
  const { imports, close } = createWasi({ outputBytes: 1 });
  close();
  expect(Object.keys(imports).sort()).toEqual([...wasiInterfaces].sort());
  expect(Object.getPrototypeOf(imports)).toBeNull();
  for (const [name, members] of Object.entries(imports)) {
    expect(Object.getPrototypeOf(members)).toBeNull();
    const offered = Object.entries(members).flatMap(([key, member]) => offeredNames(key, member));
    expect(wasiNames(name)).toEqual(expect.arrayContaining(offered));
  }
});

function offeredNames(key: string, member: unknown): string[] {
  if (typeof member !== 'function') throw new Error(`${key} is not a function`);
  const name = kebab(key);
  if (!/^[A-Z]/.test(key)) return [name];
  expect(Object.getPrototypeOf(member)).toBeNull();
  expect(Object.getPrototypeOf(member.prototype)).toBeNull();
  expect(() => Reflect.construct(member, [])).toThrow('only the host makes resources');
  const methods = Object.getOwnPropertyNames(member.prototype).map(
    (method) => `[method]${name}.${kebab(method)}`,
  );
  return [`resource ${name}`, ...methods];
}

function kebab(name: string): string {
  return name.replaceAll(/(?!^)[A-Z]/g, '-$&').toLowerCase();
}
