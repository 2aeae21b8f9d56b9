import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, in that order; one that began last would be waited for alone. */
const LONGEST = [
  ...['abuse/wasm-escapes', 'cli/json-shapes', 'abuse/hostile-runner', 'wasm/component-host'],
  ...['abuse/forged-code', 'approvals/lock', 'mcp/http', 'page/pages', 'wasm/learn'],
  ...[
    'mcp/stdio',
    'tools/wasm-tools',
    'chunks/real-sources',
    'abuse/wasm-hostile-components',
    'mcp/references',
  ],
  ...['mcp/jobs', 'ledger/export', 'tools/tutorial', 'wasm/limits', 'conversations/streaming', 'git/reader'],
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
