/** The compilers of a tool are those that its own package.json brings. */

import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Fault } from '../../base/fault.ts';
import { nativeImport } from '../../base/native-import.ts';

/** What `name` exports, as seen from `directory`. */
export async function loadCompiler<Module>(directory: string, name: string): Promise<Module> {
  const require = createRequire(path.join(directory, 'package.json'));
  let file: string;
  try {
    file = require.resolve(name);
  } catch (cause) {
    throw new Fault('tools/no-compiler', `${name}, which builds this tool, is not installed.`, {
      hint: `Run "npm install" in ${directory}.`,
      cause,
    });
  }
  return nativeImport<Module>(pathToFileURL(file).href);
}

/** What a compiler says of a source is for its author to read. */
export async function compiling<T>(source: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Fault('tools/build', `${source} cannot be built: ${reason}`, { cause });
  }
}
