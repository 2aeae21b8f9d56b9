/** Makes components of a script or of a core module, with the compilers that a directory of packages has. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fixedRuntime } from './fixed-runtime.ts';

export interface Script {
  readonly text: string;
  readonly wit: string;
  readonly world: string;
}

interface Compiler {
  componentize(options: object): Promise<{ readonly component: Uint8Array }>;
}

/** A component of a JavaScript engine and the script. The same script gives the same bytes. */
export async function componentizeScript(
  packages: string,
  { text, wit, world }: Script,
): Promise<Uint8Array> {
  const require = createRequire(path.join(packages, 'package.json'));
  const { componentize }: Compiler = require('componentize-qjs');
  const native = Object.keys(require.cache).find((file) => /componentize-qjs[^/\\]*\.node$/.test(file));
  if (native === undefined) throw new Error('componentize-qjs has not loaded its native part');
  const runtimeBytes = Buffer.from(fixedRuntime(readFileSync(native)));
  const { component } = await componentize({ witPath: wit, world, jsSource: text, runtimeBytes });
  return component;
}

export interface CoreModule {
  readonly bytes: Uint8Array;
  readonly wit: string;
  readonly world: string;
  /** Translates WASI 0.1, which C and Rust programs use, into WASI 0.2. */
  readonly adapter: Uint8Array;
}

interface WasmTools {
  componentEmbed(options: object): Promise<Uint8Array>;
  componentNew(core: Uint8Array, adapters: [string, Uint8Array][]): Promise<Uint8Array>;
}

interface ShimFilesystem {
  _setPreopens(preopens: Record<string, string>): void;
}

export async function componentizeModule(
  packages: string,
  { bytes, wit, world, adapter }: CoreModule,
): Promise<Uint8Array> {
  const require = createRequire(path.join(packages, 'package.json'));
  const load = (name: string) => import(pathToFileURL(require.resolve(name)).href);
  const shim: ShimFilesystem = await load('@bytecodealliance/preview2-shim/filesystem');
  const tools: WasmTools = await load('@bytecodealliance/jco-transpile/wasm-tools');
  // wasm-tools is itself a component and reads the WIT files through this shim.
  shim._setPreopens({ '/': '/' });
  const embedded = await tools.componentEmbed({
    binary: bytes,
    witPath: wit,
    world,
    stringEncoding: 'utf8',
  });
  return tools.componentNew(embedded, [['wasi_snapshot_preview1', adapter]]);
}
