/**
 * The version of ken, and the files that ship with it: beside the code, or inside the stand-alone binary. Only this
 * module uses its own location.
 */

const here = import.meta.url;
const isSource = here.endsWith('.ts');
/** In the sources this file is src/base/package-files.ts; built, it is a part of some file below dist/. */
const root = isSource ? new URL('../../', here) : new URL(here.slice(0, here.lastIndexOf('/dist/') + 1));

export function packageFile(relative: string): URL {
  return new URL(relative, root);
}

export function builtFile(relative: string): URL {
  return new URL(`dist/${relative}`, root);
}

/** The script of a thread or process: the source while developing, the bundled file once built. */
export function scriptFile(script: { readonly source: string; readonly built: string }): URL {
  return isSource ? packageFile(`src/${script.source}`) : builtFile(script.built);
}

/** In the stand-alone binary the address of each file is `asset:/…`. */
export const isInBinary = here.startsWith('asset:');

/** Nobody may change the bytes: in the binary they are a part of the running program. */
export function readShipped(file: URL): Buffer {
  if (file.protocol !== 'asset:') return builtin('node:fs').readFileSync(file);
  return Buffer.from(builtin('node:sea').getRawAsset(assetName(file)) as ArrayBuffer);
}

/** Every file below a directory, relative to it, sorted. */
export function shippedNames(directory: URL): readonly string[] {
  const names = directory.protocol === 'asset:' ? assetsBelow(directory) : filesBelow(directory);
  return names.sort();
}

function filesBelow(directory: URL): string[] {
  const entries = builtin('node:fs').readdirSync(directory, { recursive: true, withFileTypes: true });
  const root = builtin('node:url').fileURLToPath(directory);
  const { join, relative } = builtin('node:path');
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function assetsBelow(directory: URL): string[] {
  const above = assetName(directory);
  const names: string[] = JSON.parse(readShipped(packageFile(ASSET_NAMES)).toString('utf8'));
  return names.filter((name) => name.startsWith(above)).map((name) => name.slice(above.length));
}

/** The asset that lists the others. */
const ASSET_NAMES = 'assets.json';

function assetName({ pathname }: URL): string {
  return decodeURIComponent(pathname.slice(1));
}

/** Loaded at its first use: most commands read none of these files. */
function builtin<Name extends 'node:fs' | 'node:path' | 'node:sea' | 'node:url'>(name: Name) {
  // biome-ignore lint/style/noRestrictedGlobals: this module reads what ships with ken, and nothing else.
  return process.getBuiltinModule(name);
}

/** A test compares it with package.json. */
export const VERSION = '0.1.0';
