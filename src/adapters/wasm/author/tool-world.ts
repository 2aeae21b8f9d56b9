/** The world that a tool implements, by the WIT beside it, and the doc comments in that WIT. */

import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import { namesIn } from '../../paths/change-directory.ts';
import { readPlainFile } from '../../paths/open-path.ts';
import { unsignedBytes } from '../types/byte-reader.ts';

const CONTRACT = 'ken:tool';

/** The world of the tool's own package, or `contract` where the package is ken's. */
export function worldOf(wit: string, contract: 'tool' | 'tool-js'): string {
  const texts = witTexts(wit);
  if (texts.some((text) => packageOf(text) === CONTRACT)) return contract;
  const worlds = texts.flatMap((text) => blocksOf(text).filter(({ kind }) => kind === 'world'));
  const [only, other] = worlds;
  if (only && !other) return only.name;
  const found =
    worlds.length === 0 ? 'no world' : `several worlds: ${worlds.map(({ name }) => name).join(', ')}`;
  throw new Fault('tools/build', `${wit} has ${found}.`, {
    hint: 'Write one world there, with the functions that become tools.',
  });
}

/** The content of the section `package-docs`: doc comments by world or interface, and function. */
export interface PackageDocs {
  readonly worlds: Readonly<Record<string, { readonly func_exports: FunctionDocs }>>;
  readonly interfaces: Readonly<Record<string, { readonly funcs: FunctionDocs }>>;
}

type FunctionDocs = Readonly<Record<string, { readonly docs: string }>>;

/** The contract of tools has no comments to tell: the tool's entry describes it. */
export function docsOf(wit: string): PackageDocs {
  const texts = witTexts(wit).filter((text) => packageOf(text) !== CONTRACT);
  const blocks = texts.flatMap(blocksOf);
  const of = (kind: Block['kind']) => blocks.filter((block) => block.kind === kind && hasDocs(block));
  return {
    worlds: Object.fromEntries(of('world').map(({ name, docs }) => [name, { func_exports: docs }])),
    interfaces: Object.fromEntries(of('interface').map(({ name, docs }) => [name, { funcs: docs }])),
  };
}

function hasDocs({ docs }: Block): boolean {
  return Object.keys(docs).length > 0;
}

const FORMAT_VERSION = 1;

/** The component with the custom section `package-docs`; the same bytes when there is nothing to tell. */
export function withDocs(component: Uint8Array, docs: PackageDocs): Uint8Array {
  if (Object.keys(docs.worlds).length + Object.keys(docs.interfaces).length === 0) return component;
  const name = Buffer.from('package-docs');
  const content = Buffer.concat([
    unsignedBytes(name.length),
    name,
    Uint8Array.of(FORMAT_VERSION),
    Buffer.from(JSON.stringify(docs)),
  ]);
  return Buffer.concat([component, Uint8Array.of(0), unsignedBytes(content.length), content]);
}

const LONGEST_WIT = 1_000_000;

/** The files of the package itself: those of other packages are below `deps`. */
function witTexts(wit: string): string[] {
  const names = (namesIn(wit) ?? []).filter((name) => name.endsWith('.wit')).sort();
  return names.map((name) => {
    const text = readPlainFile(path.join(wit, name), LONGEST_WIT);
    if (Buffer.isBuffer(text)) return text.toString('utf8');
    throw new Fault('tools/build', `${path.join(wit, name)} cannot be read.`);
  });
}

function packageOf(text: string): string | undefined {
  return /^[ \t]*package\s+([\w:-]+)/m.exec(text)?.[1];
}

interface Block {
  readonly kind: 'world' | 'interface';
  readonly name: string;
  readonly docs: FunctionDocs;
}

const BLOCK = /^[ \t]*(world|interface)\s+%?([a-z][\w-]*)\s*\{/;
const DOC = /^[ \t]*\/\/\/ ?(.*)$/;
const FUNCTION = /^[ \t]*(?:export\s+)?%?([a-z][\w-]*)\s*:\s*(?:async\s+)?func\b/;

/** Functions of an interface that stands inside a world count as the world's. */
function blocksOf(text: string): Block[] {
  const blocks: { kind: Block['kind']; name: string; docs: Record<string, { docs: string }> }[] = [];
  let told: string[] = [];
  for (const line of text.split('\n')) {
    const doc = DOC.exec(line)?.[1];
    if (doc !== undefined) {
      told.push(doc);
      continue;
    }
    const opened = BLOCK.exec(line);
    if (opened) blocks.push({ kind: opened[1] as Block['kind'], name: opened[2] ?? '', docs: {} });
    const name = FUNCTION.exec(line)?.[1];
    const block = blocks.at(-1);
    if (name !== undefined && block && told.length > 0) block.docs[name] = { docs: told.join('\n').trim() };
    if (!/^\s*@/.test(line)) told = [];
  }
  return blocks;
}
