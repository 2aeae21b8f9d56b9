import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';

export interface LedgerSandbox extends Sandbox {
  /** The output of a command with `--json`; its error when the exit code is not 0. */
  json(words: readonly string[], code?: number): Promise<ReturnType<typeof JSON.parse>>;
  /** Message of the error that ends a command. */
  message(words: readonly string[], code: number): Promise<string>;
  /** Lines of a ledger file. */
  lines(name: string): ReturnType<typeof JSON.parse>[];
  /** The operator's own config says yes to everything. */
  approveAll(): void;
}

/** A workspace whose ledger is used through the real binary. */
export function ledgerSandbox(): LedgerSandbox {
  const place = sandboxHere('');
  const json: LedgerSandbox['json'] = async (words, code = 0) => {
    const result = await place.ken([...words, '--json']);
    expect(result, words.join(' ')).toMatchObject({ code });
    return JSON.parse(code === 0 ? result.stdout : (result.stderr.trim().split('\n').at(-1) ?? ''));
  };
  return {
    ...place,
    json,
    message: async (words, code) => (await json(words, code)).error.message,
    lines: (name) =>
      readFileSync(path.join(place.root, '.ken/knowledge', name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    approveAll() {
      mkdirSync(path.join(place.home, 'config'), { recursive: true });
      writeOwnConfig(place.home, 'approvals.noninteractive = "allow"\n');
    },
  };
}

/** Words for `ken k add`, with whatever is not the point filled in; what is given again counts. */
export function adding(id: string, ...more: string[]): string[] {
  const given = (flag: string, value: string) => (more.includes(flag) ? [] : [flag, value]);
  return [
    ...['k', 'add', '--id', id],
    ...given('--title', 'A test'),
    ...given('--text', 'some test text'),
    ...given('--provenance', 'cmd:x'),
    ...more,
  ];
}

/** A line of `knowledge.promotions.jsonl` with everything that one needs. */
export function promotionLine(event_id: string, more: object = {}): string {
  const who = { approved_by: 'human/root', actor: 'ada', reason: 'r' };
  const what = { source_entry_id: 'source', target_class: 'procedural', evidence_refs: ['commit:abc'] };
  return JSON.stringify({ event_id, ts: '1Z', ...what, ...who, ...more });
}
