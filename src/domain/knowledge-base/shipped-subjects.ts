/** Topics that are inside the stand-alone binary, which has no directories. */

import { packageFile, readShipped, shippedNames } from '../../base/package-files.ts';
import { isListablePath, noFiles, type SubjectFiles } from './subject-files.ts';

export function shippedSubjects(directory: string): SubjectFiles {
  const root = packageFile(`skills/${directory}/`.replace(/(?:\/\.)?\/+$/, '/'));
  const names = new Set(shippedNames(root));
  if (names.size === 0) return noFiles('missing');
  return {
    list: () => ({ files: [...names], skipped: [] }),
    read(path, maxBytes) {
      if (!isListablePath(path) || !names.has(path)) return { ok: false };
      const bytes = readShipped(new URL(path, root));
      return { ok: true, bytes: bytes.subarray(0, maxBytes), size: bytes.length };
    },
    stamp: (path) => (names.has(path) ? 'shipped' : undefined),
  };
}
