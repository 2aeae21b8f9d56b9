/** Which files of a repository go into a topic: first by name, then, once they are here, by content. */

import { reasonInName } from './file-names.ts';
import { type GitAttributes, NO_ATTRIBUTES } from './git-attributes.ts';
import type { GitFile } from './git-reader.ts';
import { checkPaths, matchPaths } from './match-paths.ts';
import { countSkips, type SkipCounts, type SkipReason } from './skip.ts';

export interface FileSelection {
  /** In the order of the tree. */
  readonly selected: readonly GitFile[];
  /** Of what `paths` match. */
  readonly skipped: SkipCounts;
  readonly unmatchedPaths: readonly string[];
}

export function selectFiles(
  files: readonly GitFile[],
  paths: readonly string[],
  attributes: GitAttributes = NO_ATTRIBUTES,
): FileSelection {
  checkPaths(paths);
  const { matching, unmatchedPaths } = matchPaths(files, paths);
  const selected: GitFile[] = [];
  const reasons: SkipReason[] = [];
  for (const file of matching) {
    const reason = whyNotByName(file, attributes);
    if (reason) reasons.push(reason);
    else selected.push(file);
  }
  return { selected, skipped: countSkips(reasons), unmatchedPaths };
}

function whyNotByName({ path, mode }: GitFile, attributes: GitAttributes): SkipReason | undefined {
  if (mode === '120000') return 'symlink';
  if (mode === '160000') return 'submodule';
  const isVendored = attributes.isVendored(path);
  if (isVendored) return 'vendored';
  if (attributes.isGenerated(path)) return 'generated';
  const reason = reasonInName(path);
  return reason === 'vendored' && isVendored === false ? undefined : reason;
}
