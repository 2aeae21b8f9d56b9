import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, in that order; one that began last would be waited for alone. */
export const LONGEST = [
  'search/watch',
  'page/pages',
  'mcp/approvals',
  'page/tasks',
  'mcp/http',
  'reliability/references',
  'mcp/stdio',
  'conversations/killed-turn',
  'abuse/hostile-runner',
  'reliability/ledger',
  'cli/json-shapes',
  'approvals/lock',
  'start-up/loads',
  'abuse/wasm-escapes',
  'wasm/component-host',
  'reliability/search',
  'reliability/approvals',
  'tools/wasm-tools',
  'abuse/odd-files',
  'conversations/query-flags',
  'start-up/compiled-code',
  'conversations/streaming',
  'reliability/campaign',
  'library/consumer',
  'conversations/labels',
  'tools/authors',
  'reliability/conversations',
  'mcp/jobs',
  'abuse/wasm-made-to-order',
  'wasm/limits',
  'mcp/references',
  'wasm/race',
  'abuse/forged-code',
  'tools/tutorial',
];

function rankOf({ moduleId }: TestSpecification): number {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return at === -1 ? LONGEST.length : at;
}

/** Begins with the longest files. Without this a fresh clone, which remembers no earlier run, begins with the largest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
