/**
 * A component may import only functions and resources that WASI has. The glue calls whatever a component names on the
 * objects of this host, so an import such as `[constructor]descriptor` would reach what is no part of WASI.
 */

import { ComponentError } from './component-error.ts';
import { wasiNames } from './wasi/wasi-functions.ts';

/** `jp:tool` is the same contract under the name it was first published with. */
const CONTRACT = /^((?:ken|jp):tool\/types)@0\.1\.\d+$/;
const WASI = /^(wasi:[a-z]+\/[a-z-]+)@0\.2\.\d+$/;

/** Returns the imported interfaces, with versions, sorted. `files` are the bindgen's declarations by file name. */
export function checkImports(files: ReadonlyMap<string, string>): string[] {
  const imports = importsOf(files.get('tool.d.ts') ?? '');
  requireKnown(imports);
  requireOneVersion(imports);
  const unknown = imports.flatMap((name) => unknownNames(name, declarationsOf(files, name)));
  if (unknown.length === 0) return imports;
  throw new ComponentError(
    'wasm/unknown-import',
    `The component imports ${unknown.join(', ')}, which WASI does not have.`,
    'No compiler makes such imports; do not trust this file.',
  );
}

function importsOf(world: string): string[] {
  const block = /^export interface ImportObject \{\n([\s\S]*?)^\}/m.exec(world)?.[1] ?? '';
  return [...block.matchAll(/^ {2}(?:'([^']+)'|([\w$]+)): /gm)]
    .map(([, quoted, plain]) => quoted ?? plain ?? '')
    .sort();
}

function requireKnown(imports: readonly string[]): void {
  const unknown = imports.filter((name) => !CONTRACT.test(name) && !wasiNames(WASI.exec(name)?.[1] ?? ''));
  if (unknown.length === 0) return;
  const network = unknown.some((name) => name.startsWith('wasi:http/'));
  throw new ComponentError(
    'wasm/unknown-import',
    `The component wants what this host does not offer: ${unknown.join(', ')}.`,
    network ? 'Tools have no network; build it without HTTP.' : 'Tools may import WASI 0.2 and nothing else.',
  );
}

/** The bindgen declares only one version of an interface, so what is in another could not be checked. */
function requireOneVersion(imports: readonly string[]): void {
  const versions = Map.groupBy(imports, withoutVersion);
  const twice = [...versions.values()].find((names) => names.length > 1);
  if (!twice) return;
  throw new ComponentError(
    'wasm/unknown-import',
    `The component imports two versions of one interface: ${twice.join(', ')}.`,
    'Build all of its parts against the same version of WASI.',
  );
}

function withoutVersion(name: string): string {
  return (CONTRACT.exec(name) ?? WASI.exec(name))?.[1] ?? name;
}

function declarationsOf(files: ReadonlyMap<string, string>, name: string): string {
  const header = `/** @module Interface ${name} **/\n`;
  const found = [...files.values()].find((text) => text.startsWith(header));
  if (found !== undefined) return found.slice(header.length);
  throw new ComponentError('wasm/malformed', `The component does not say what it imports from ${name}.`);
}

function unknownNames(interfaceName: string, declarations: string): string[] {
  const name = withoutVersion(interfaceName);
  const known = wasiNames(name) ?? [];
  return declaredNames(declarations)
    .filter((declared) => !known.includes(declared))
    .map((declared) => `${name} ${declared}`);
}

/**
 * The functions and resources in one interface's declarations, as WIT writes them. Works by line and does not skip
 * comments that begin elsewhere, so nothing can be hidden in one; a line of an unexpected form is taken for a name.
 */
function declaredNames(declarations: string): string[] {
  const names: string[] = [];
  let resource: string | undefined;
  for (const line of declarations.split('\n')) {
    const opened = /^export class ([\w$]+) \{$/.exec(line)?.[1];
    if (opened !== undefined) {
      resource = kebabCase(opened);
      names.push(`resource ${resource}`);
    } else if (line === '}') resource = undefined;
    else names.push(...(resource === undefined ? freeName(line) : memberName(resource, line)));
  }
  return names;
}

function freeName(line: string): string[] {
  if (!/^(?:export\b(?! type | interface )|(?:async )?function\b)/.test(line)) return [];
  const name = /^export function ([\w$]+)\(/.exec(line)?.[1];
  return [name === undefined ? excerpt(line) : kebabCase(name)];
}

function memberName(resource: string, line: string): string[] {
  if (/^ {2}(?:\/\*\*| \*|private constructor\(\);$)/.test(line)) return [];
  if (/^ {2}constructor\((?!.*;$)/.test(line)) return [`[constructor]${resource}`];
  const [, isStatic, name] = /^ {2}(static )?([\w$]+)\(/.exec(line) ?? [];
  if (name === undefined) return [`${resource}: ${excerpt(line)}`];
  return [`${isStatic ? '[static]' : '[method]'}${resource}.${kebabCase(name)}`];
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter, at) => `${at > 0 ? '-' : ''}${letter.toLowerCase()}`);
}

function excerpt(line: string): string {
  return JSON.stringify(line.trim().slice(0, 100));
}
