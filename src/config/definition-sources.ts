/** Collects the definitions in the files of a workspace that can execute or leak, and so need trust. */

import type { Definition, DefinitionSource } from '../base/approvals.ts';
import { canonicalJson, type Json } from '../base/json.ts';
import { permitted, wideningDefinitions } from './authority.ts';
import { changeProblems } from './change.ts';
import { defaultTree } from './defaults.ts';
import { formatKeyPath, type KeyPath } from './key-path.ts';
import { type ConfigFiles, type LoadRequest, loadLayers } from './load.ts';
import type { Layer } from './resolve.ts';
import { EFFECT_WORDS } from './schema/effects.ts';
import type { Effect } from './schema/node.ts';
import { SCHEMA } from './schema.ts';
import { child, isTree } from './tree.ts';

export interface SourceReader {
  readonly root: string;
  /** SHA-256 of a file named relative to the workspace, or a word for why there is none. */
  digestOf(file: string): Promise<string>;
  /** The files, hosts and secrets that a Wasm tool with this entry may use, in words. */
  accessInWords(entry: Json): Promise<string>;
}

/** The definitions in the layers that a command has read; files without any are left out. */
export async function definitionSources(
  reader: SourceReader,
  layers: readonly Layer[],
): Promise<DefinitionSource[]> {
  const sources: DefinitionSource[] = [];
  for (const layer of layers) {
    if (layer.standing !== 'workspace') continue;
    const definitions = await definitionsIn(reader, layer);
    const source = { file: relativeTo(reader.root, layer.origin.name), isAlwaysRead: true, definitions };
    // A file that is read twice counts once, unless it changed in between.
    const isKnown = sources.some((known) => JSON.stringify(known) === JSON.stringify(source));
    if (definitions.length > 0 && !isKnown) sources.push(source);
  }
  return sources;
}

/** The definitions in all files of the workspace, whether this command reads them or not, for `ken trust`. */
export async function everyDefinitionSource(
  reader: SourceReader,
  files: ConfigFiles,
  request: LoadRequest & { readonly loadPaths: readonly string[] },
): Promise<DefinitionSource[]> {
  const always = await loadLayers(files, { ...request, assignments: [] });
  const named = await namedFiles(files, request);
  const all = await loadLayers(files, {
    ...request,
    assignments: [...named.map((file) => `@${file}`), ...request.assignments],
  });
  const alwaysRead = new Set((await definitionSources(reader, always.layers)).map(({ file }) => file));
  const sources = await definitionSources(reader, all.layers);
  return sources.map((source) => ({ ...source, isAlwaysRead: alwaysRead.has(source.file) }));
}

async function namedFiles(
  files: ConfigFiles,
  { workspace, loadPaths }: Pick<LoadRequest, 'workspace'> & { readonly loadPaths: readonly string[] },
): Promise<string[]> {
  if (!workspace) return [];
  const found = await Promise.all(
    loadPaths.map((path) => files.matching(files.resolve(workspace.home, path), '*.toml')),
  );
  // Load paths may lead anywhere; files outside do not belong to the workspace.
  return found.flat().filter((file) => files.isInside(file, workspace.root));
}

async function definitionsIn(reader: SourceReader, layer: Layer): Promise<Definition[]> {
  const requester = { standing: 'workspace', isTrusted: false, current: {} } as const;
  const refused = layer.changes
    .filter((change) => changeProblems(SCHEMA, change).length === 0)
    .flatMap((change) => permitted(SCHEMA, change, requester).refusals)
    .filter(({ need }) => need === 'trusted');
  const definitions = await Promise.all(
    refused.map(async ({ path, value, effect }) => [
      {
        key: formatKeyPath(path),
        value: canonicalJson(value),
        words: await wordsFor(reader, path, value, effect),
      },
      ...(await bytesNamedBy(reader, path, value)),
    ]),
  );
  return definitions.flat();
}

/** For a component, what it may use; for everything else, its effect. */
async function wordsFor(
  reader: SourceReader,
  path: KeyPath,
  value: Json,
  effect: Effect = 'runs',
): Promise<string> {
  return componentOf(path, value) === undefined
    ? `It ${EFFECT_WORDS[effect]}.`
    : await reader.accessInWords(value);
}

function componentOf(path: KeyPath, value: Json): string | undefined {
  const wasm = path[0] === 'conversation' && path[1] === 'tools' ? child(value, 'wasm') : undefined;
  return typeof wasm === 'string' ? wasm : undefined;
}

/** A component is trusted by its bytes, not by the name of its file. */
async function bytesNamedBy(reader: SourceReader, path: KeyPath, value: Json): Promise<Definition[]> {
  const wasm = componentOf(path, value);
  if (wasm === undefined || wasm.startsWith('sha256:')) return [];
  const sha256 = await reader.digestOf(wasm);
  return [
    { kind: 'component', path: wasm, sha256, key: `sha-256 of ${wasm}`, value: JSON.stringify(sha256) },
  ];
}

function relativeTo(root: string, file: string): string {
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
}

/** The settings in the operator's own files that permit more than the defaults do, signed or not. */
export async function ownSettings(files: ConfigFiles, request: LoadRequest): Promise<DefinitionSource[]> {
  const own = { ...request, workspace: undefined, environment: {}, conversation: [], assignments: [] };
  const { layers } = await loadLayers(files, { ...own, flags: undefined, isSigned: undefined });
  return layers.flatMap(({ origin, standing, changes }) => {
    if (standing !== 'user' && standing !== 'authority') return [];
    const values = changes.flatMap((change) => (change.op === 'merge' ? change.value : []));
    const definitions = values.flatMap((value) =>
      isTree(value) ? wideningDefinitions(SCHEMA, defaultTree(SCHEMA), value) : [],
    );
    return definitions.length > 0 ? [{ file: origin.name, isAlwaysRead: true, definitions }] : [];
  });
}
