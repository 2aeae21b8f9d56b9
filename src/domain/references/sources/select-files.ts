import { type AttributesFile, type GitAttributes, NO_ATTRIBUTES, parseAttributes } from './git-attributes.ts';
import type { GitFile, GitSurvey, GitTree } from './git-reader.ts';
import { countLanguages } from './languages.ts';
import { checkPaths, matchPaths } from './match-paths.ts';
import { addSkips, countSkips, reasonInName, type SkipCounts, type SkipReason } from './skip.ts';

export interface FileSelection {
  /** In the order of the tree. */
  readonly selected: readonly GitFile[];
  /** Skipped files among those that `paths` match. */
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

/** Selects the files of a tree to fetch, by name and by the repository's own attributes. */
export async function selectTree(tree: GitTree, paths: readonly string[]): Promise<FileSelection> {
  // Rejects invalid paths before the first byte is fetched.
  selectFiles([], paths);
  const attributes = parseAttributes(await readAttributes(tree));
  const selection = selectFiles(tree.files, paths, attributes);
  const unusable = tree.unusableNames > 0 ? { unusable_name: tree.unusableNames } : {};
  return { ...selection, skipped: addSkips(selection.skipped, unusable) };
}

export async function surveyTree(
  tree: GitTree,
  paths: readonly string[],
): Promise<{ survey: GitSurvey; selected: readonly GitFile[] }> {
  const { selected, unmatchedPaths } = await selectTree(tree, paths);
  const languages = countLanguages(selected);
  return { survey: { commit: tree.commit, files: selected.length, languages, unmatchedPaths }, selected };
}

/** Limits for reading `.gitattributes`; files nearest the root come first. */
const MAX_FILES = 100;
const MAX_BYTES = 64 * 1024;

async function readAttributes(tree: GitTree): Promise<AttributesFile[]> {
  const wanted = tree.files
    .filter(({ path, mode }) => /(^|\/)\.gitattributes$/.test(path) && mode.startsWith('100'))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)
    .slice(0, MAX_FILES);
  const read: AttributesFile[] = [];
  if (wanted.length === 0) return read;
  for await (const { file, bytes } of tree.read(wanted, { maxFileBytes: MAX_BYTES })) {
    const directory = file.path.slice(0, -'.gitattributes'.length).replace(/\/$/, '');
    if (bytes) read.push({ directory, text: new TextDecoder().decode(bytes) });
  }
  return read;
}
