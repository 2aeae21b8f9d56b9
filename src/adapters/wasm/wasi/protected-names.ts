/** Directories that decide what git and ken execute: no guest may change them, wherever they are. */

const PROTECTED = new Set(['.git', '.ken']);

/** Some file systems ignore case, and some ignore invisible characters; such a spelling is the same name. */
export function isProtectedName(name: string): boolean {
  const folded = name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
  return PROTECTED.has(folded);
}
