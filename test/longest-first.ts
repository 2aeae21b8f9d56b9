import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, in that order; one that began last would be waited for alone. */
export const LONGEST = [
  'cli/help-examples',
  'mcp/http',
  'mcp/approvals',
  'mcp/stdio',
  'mcp/changes',
  'abuse/odd-files',
  'page/tasks',
  'search/watch',
  'abuse/hostile-runner',
  'wasm/component-host',
  'page/pages',
  'approvals/lock',
  'mcp/conformance',
  'mcp/jobs',
  'tools/wasm-tools',
  'cli/json-shapes',
  'abuse/wasm-escapes',
  'conversations/killed-turn',
  'reliability/references',
  'mcp/references',
  'conversations/panes',
  'team/serve-isolation',
  'start-up/loads',
  'project/published',
  'library/consumer',
  'tools/authors',
  'abuse/wasm-hostile-components',
  'reliability/campaign',
  'mcp/together',
  'git/reader',
  'repair/repair',
  'wasm/limits',
  'reliability/ledger',
  'team/bad-network',
  'search/example-questions',
  'abuse/broker-races',
  'conversations/streaming',
  'references/ref-commands',
  'chunks/real-sources',
  'tools/tutorial',
  'conversations/query-flags',
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
