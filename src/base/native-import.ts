/**
 * Imports a module that is not part of ken through Node's own loader. The build keeps this file apart: a script that
 * runs from V8's code cache cannot import modules, a file that Node loads itself can.
 */
export function nativeImport<Module>(specifier: string): Promise<Module> {
  return import(specifier);
}
