import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { identifier, numbers, words } from '../synthetic-chunks.ts';
import type { LoadArea } from './area.ts';

const EVIDENCE_FILES = 1000;
const FIRST_SECOND = 1_760_000_000;
const LINES_A_WRITE = 10_000;
/** Memory of work that must not hold all entries at once. */
const FLAT = { timesSmallest: 1.3 } as const;
const PER_ENTRY = { bytesEach: 200 } as const;

export const ledger: LoadArea = {
  name: 'ledger',
  unit: 'entries',
  sizes: [10_000, 100_000, 1_000_000],
  fill({ directory }, size) {
    const digests = writeEvidence(directory);
    const file = openSync(path.join(directory, 'ledger.jsonl'), 'w');
    let lines = ['{"format":"ken-ledger","version":1}'];
    const random = numbers(5);
    for (let at = 0; at < size; at++) {
      lines.push(entryLine(at, digests[at % EVIDENCE_FILES] ?? '', random));
      if (lines.length < LINES_A_WRITE) continue;
      writeSync(file, `${lines.join('\n')}\n`);
      lines = [];
    }
    if (lines.length > 0) writeSync(file, `${lines.join('\n')}\n`);
    closeSync(file);
  },
  steps: [
    { name: 'k import', words: ['k', 'import', 'ledger.jsonl'] },
    {
      name: 'k add',
      words: ['k', 'add', '--title', 'Pot', '--text', 'A litre.', '--provenance', 'cmd:x', '--id', 'pot'],
    },
    { name: 'k show', words: ['k', 'show', 'pot'] },
    { name: 'k list', words: ['k', 'list'] },
    { name: 'k search', words: ['k', 'search', 'litre'] },
    { name: 'search, first', words: ['search', 'litre'], codes: [0, 1] },
    { name: 'search, again', words: ['search', 'litre'], codes: [0, 1] },
    { name: 'k verify', words: ['k', 'verify'], memory: FLAT },
    { name: 'k audit', words: ['k', 'audit'], codes: [0, 6], memory: FLAT },
    { name: 'k export', words: ['k', 'export', '--output', 'again.jsonl'] },
    { name: 'backup', words: ['backup', 'all.ken.tar.gz'] },
    { name: 'status', words: ['status'] },
    { name: 'doctor', words: ['doctor'], codes: [0, 6], memory: PER_ENTRY },
    {
      name: 'doctor, after a change',
      words: ['doctor'],
      codes: [0, 6],
      memory: PER_ENTRY,
      before: (bench) => bench.ken(['k', 'deprecate', 'pot'])(),
    },
  ],
};

function writeEvidence(directory: string): string[] {
  mkdirSync(path.join(directory, 'evidence'));
  return Array.from({ length: EVIDENCE_FILES }, (_, at) => {
    const text = `What was seen, number ${at}.`;
    writeFileSync(path.join(directory, `evidence/${at}.txt`), `${text}\n`);
    return createHash('sha256').update(text).digest('hex');
  });
}

/** As "ken k export" writes it. */
function entryLine(at: number, sha256: string, random: () => number): string {
  const second = `${FIRST_SECOND + at}Z`;
  const provenance = `file:evidence/${at % EVIDENCE_FILES}.txt`;
  const version = {
    updated_at: second,
    written_at: second,
    title: identifier(random),
    text: words(random, 20),
    provenance,
    claim_id: null,
    merge_key: `key-${at}`,
    status: 'active',
    ttl_policy: 'persistent',
    expires_ts: null,
    tags: [],
    labels: {},
  };
  const citation = {
    provenance,
    sha256,
    version: 1,
    until_version: null,
    cited_at: second,
    cited_by: 'load',
  };
  return JSON.stringify({
    id: `entry-${at}`,
    created_at: second,
    supersedes_id: null,
    versions: [version],
    citations: [citation],
    feedback: { retrieved: 0, helped: 0, hurt: 0 },
  });
}
