import { type AttributesFile, parseAttributes } from './git-attributes.ts';
import type { GitFile, GitSurvey, GitTree } from './git-reader.ts';
import { countLanguages } from './languages.ts';
import { type FileSelection, selectFiles } from './select-files.ts';
import { addSkips } from './skip.ts';

/** The files of a tree that are worth fetching, as far as names and the repository's own attributes tell. */
export async function selectTree(tree: GitTree, paths: readonly string[]): Promise<FileSelection> {
  // Before the first byte is fetched: a path that cannot be meant needs none.
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

/** A repository needs few of them; those beyond are left alone, those above all others first. */
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
