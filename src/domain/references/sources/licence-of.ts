import type { TreePlan } from './plan-source.ts';

const LICENCE = /^(?:un)?licen[cs]e|^copying|^notice/i;
const MOST = 20;

/** Names and object ids of the files at the top of a repository that say under which terms it is. */
export function licenceOf({ tree, source }: Pick<TreePlan, 'tree' | 'source'>): string | undefined {
  if (source.type !== 'git') return undefined;
  const files = tree.files.filter(({ path }) => !path.includes('/') && LICENCE.test(path));
  const named = files.map(({ path, oid }) => `${path} ${oid}`).sort();
  return named.slice(0, MOST).join('\n');
}
