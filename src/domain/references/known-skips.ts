import { extensionOf } from './file-names.ts';
import type { GitFile } from './git-reader.ts';
import type { SkippedFile } from './lock.ts';

/**
 * Tells which files would be left out again without reading them: content is judged by its bytes, the ending of the
 * name and the limit of a file's size.
 */
export function knownSkips(
  skipped: readonly SkippedFile[],
  { maxFileBytes }: { readonly maxFileBytes: number },
): (file: GitFile) => SkippedFile | undefined {
  const key = (oid: string, path: string) => `${oid} ${extensionOf(path)}`;
  const isStillSo = ({ bytes, reason }: SkippedFile) => bytes > maxFileBytes === (reason === 'too_large');
  const known = new Map(skipped.filter(isStillSo).map((each) => [key(each.oid, each.path), each]));
  return ({ oid, path }) => known.get(key(oid, path));
}
