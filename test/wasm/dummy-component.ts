/** Components without code, made from WIT: they import and export what their world says, and trap when called. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { componentEmbed, componentNew, parse } from '@bytecodealliance/jco-transpile/wasm-tools';

const WIT = path.join(import.meta.dirname, '../../wit');

export interface DummyWorld {
  /** The WIT of the world, without its name. */
  readonly world: string;
  /** Changes the text of all packages together. */
  change?(wit: string): string;
  /** More packages, each as `package a:b { … }`, or interfaces beside the world. */
  readonly more?: string;
}

export async function dummyComponent(input: DummyWorld): Promise<Uint8Array> {
  return componentNew(await componentEmbed({ dummy: true, witSource: witOf(input), world: 'dummy' }));
}

/** A tool whose core module is this WebAssembly text; it must export `memory`, `cabi_realloc` and `run`. */
export async function toolFromText(wat: string): Promise<Uint8Array> {
  const witSource = witOf({ world: 'include ken:tool/tool@0.1.0;' });
  return componentNew(await componentEmbed({ binary: await parse(wat), witSource, world: 'dummy' }));
}

function witOf({ world, change = (wit) => wit, more = '' }: DummyWorld): string {
  const deps = path.join(WIT, 'deps');
  const packages = readdirSync(deps, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(deps, entry.name, 'package.wit'));
  const wit = [path.join(WIT, 'tool.wit'), ...packages].map((file) => nested(readFileSync(file, 'utf8')));
  return `package test:dummy;\nworld dummy { ${world} }\n${more}\n${change(wit.join('\n'))}`;
}

/** Puts a package into braces, so that several can stand in one text. */
function nested(wit: string): string {
  return `${wit.replace(/^(package [^;]*);/, '$1 {')}\n}`;
}
