import { compareCodePoints } from '../../../base/text.ts';
import type { GatheredSource } from '../sources/gather-source.ts';
import type { SourcePlan } from '../sources/plan-source.ts';
import type { LockedFile } from '../topic/lock.ts';

export interface FileChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Same content under another name; listed neither as added nor as removed. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

type Content = Pick<LockedFile, 'path'> & { readonly content: string };

export function hasChanges({ added, changed, removed, renamed }: FileChanges): boolean {
  return added.length + changed.length + removed.length + renamed.length > 0;
}

/** Changes known before any content is read: a new file may still be skipped for its content. */
export function plannedChanges(plans: readonly SourcePlan[]): FileChanges {
  const after = plans.flatMap((plan): Content[] => {
    if (plan.kind === 'page') {
      const [kept] = [...plan.before.intact, ...plan.before.lost];
      return [{ path: kept?.path ?? plan.source.url, content: 'new' }];
    }
    if (plan.kind !== 'tree') return keptBefore([plan]);
    const carried = plan.carried.map(({ file, from }) => ({
      ...contentOf(from),
      path: `${plan.directory}${file.path}`,
    }));
    const wanted = plan.wanted.map(({ path, oid }) => ({ path: `${plan.directory}${path}`, content: oid }));
    return [...carried, ...wanted];
  });
  return changesBetween(keptBefore(plans), after);
}

export function gatheredChanges(
  plans: readonly SourcePlan[],
  gathered: readonly GatheredSource[],
): FileChanges {
  return changesBetween(keptBefore(plans), gathered.flatMap(contents));
}

function keptBefore(plans: readonly SourcePlan[]): Content[] {
  return plans.flatMap(({ before: { intact, lost } }) => contents({ files: intact, lost }));
}

/** A lost file matches only itself, so it never counts as renamed. */
function contents({ files, lost }: Pick<GatheredSource, 'files' | 'lost'>): Content[] {
  return [...files.map(contentOf), ...lost.map(({ path }) => ({ path, content: 'lost' }))];
}

function contentOf({ path, sha256 }: LockedFile): Content {
  return { path, content: sha256 };
}

function changesBetween(before: readonly Content[], after: readonly Content[]): FileChanges {
  const old = new Map(before.map((file) => [file.path, file.content]));
  const paths = new Set(after.map(({ path }) => path));
  const gone = new Map<string, string[]>();
  for (const { path, content } of before)
    if (!paths.has(path)) gone.set(content, [...(gone.get(content) ?? []), path]);
  const added: string[] = [];
  const renamed: { from: string; to: string }[] = [];
  for (const { path, content } of after) {
    if (old.has(path)) continue;
    const from = gone.get(content)?.shift();
    if (from === undefined) added.push(path);
    else renamed.push({ from, to: path });
  }
  return {
    added: added.sort(compareCodePoints),
    changed: after
      .filter(({ path, content }) => old.has(path) && old.get(path) !== content)
      .map(({ path }) => path)
      .sort(compareCodePoints),
    removed: [...gone.values()].flat().sort(compareCodePoints),
    renamed,
  };
}
