/**
 * The bindgen writes the import and export names of core modules into JavaScript as they are. A name that could
 * end a string there is refused before any of that JavaScript is kept or loaded.
 */

import { ComponentError } from './component-error.ts';

/** All that the names made by compilers consist of. No quotes, no backslash, no control character. */
const PLAIN = /^[\w$.:/@#|<>=+\-[\](), ]*$/;

export function checkNames(modules: Iterable<Uint8Array>): void {
  for (const bytes of modules) {
    const module = new WebAssembly.Module(bytes);
    const names = [
      ...WebAssembly.Module.imports(module).flatMap(({ module: from, name }) => [from, name]),
      ...WebAssembly.Module.exports(module).map(({ name }) => name),
    ];
    const unsafe = names.find((name) => !PLAIN.test(name));
    if (unsafe === undefined) continue;
    throw new ComponentError(
      'wasm/unsafe-name',
      `The component holds a name that could be executed as code: ${JSON.stringify(unsafe.slice(0, 100))}.`,
      'No compiler makes such names; do not trust this file.',
    );
  }
}
