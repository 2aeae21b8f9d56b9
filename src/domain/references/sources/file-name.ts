/** Checks file names of foreign sources before they are used on this machine. */

import { utf8Length } from '../../../base/text.ts';

const LONGEST_SEGMENT = 255;
const LONGEST_PATH = 1024;

/** The problem with a path below a topic's files; undefined when the path is usable. */
export function fileNameProblem(path: string): string | undefined {
  if (path === '' || utf8Length(path) > LONGEST_PATH) return 'its name is too long or empty';
  if (!path.isWellFormed()) return 'its name is not Unicode';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be in a name.
  if (/[\u0000-\u001f\u007f-\u009f\\]/.test(path)) return 'its name has control characters or backslashes';
  const segments = path.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'its name leads elsewhere';
  if (segments.some((segment) => utf8Length(segment) > LONGEST_SEGMENT)) return 'its name is too long';
  return segments.some(isRepository) ? 'its name belongs to git' : undefined;
}

/** Compares as file systems that ignore case or zero-width characters do. */
function isRepository(segment: string): boolean {
  return /^\.git[. ]*$/.test(
    segment
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '')
      .toLowerCase(),
  );
}
