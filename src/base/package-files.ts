/** The version of ken, and the files that ship with it. Only this module uses its own location. */

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

/** A test compares it with package.json. */
export const VERSION = '0.1.0';
