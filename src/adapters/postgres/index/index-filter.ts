import type { ItemFilter } from '../../../domain/search/index/index-store.ts';
import type { Tenant, Transaction } from '../seam/database.ts';
import { type Fragment, joined, labelTerm, tenantTerm } from '../seam/terms.ts';

/** Conditions on `ken.search_item i`. */
export function filterCondition(
  sql: Transaction,
  tenant: Tenant,
  { paths, labels = [], ids }: ItemFilter,
): Fragment {
  const conditions = labels.map((requirement) =>
    labelTerm(sql, sql`(i.labels ->> ${requirement.key})`, requirement),
  );
  if (paths) conditions.push(pathCondition(sql, tenant, paths));
  if (ids)
    conditions.push(sql`(i.source, i.id) in (
      select pair ->> 0, pair ->> 1 from jsonb_array_elements(${sql.json(ids.map(({ source, id }) => [source, id]))}) pair)`);
  return joined(sql, conditions, 'and');
}

function pathCondition(sql: Transaction, tenant: Tenant, paths: readonly string[]): Fragment {
  const files = paths.filter((path) => !path.endsWith('/'));
  const directories = paths.filter((path) => path.endsWith('/'));
  const conditions: Fragment[] = [];
  if (files.length > 0)
    conditions.push(sql`i.path in (select jsonb_array_elements_text(${sql.json(files)}))`);
  if (directories.length > 0)
    conditions.push(sql`i.number in (
      select below.number from jsonb_array_elements(${sql.json(directories.map(rangeOf))}) range
      join ken.search_item below on ${tenantTerm(sql, tenant, 'below')}
        and below.path >= range ->> 0 and below.path < range ->> 1)`);
  return joined(sql, conditions, 'or');
}

/** A range instead of a pattern: the index serves it, and no character of a path is special. */
function rangeOf(directory: string): [string, string] {
  return [directory, `${directory.slice(0, -1)}0`];
}
