// node ledger-child.ts DIRECTORY die before|inside|after: logs a decay and is killed around the write to its file.
// node ledger-child.ts DIRECTORY NAME COUNT: adds to shared merge keys, and after each fifth logs a use of it. Tells
//   `begin`, a line for each write that was acknowledged, and `end`.

import { appendFileSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { ledgerFilesIn } from '../../src/adapters/files/ledger-files.ts';
import { openLedgerDatabase } from '../../src/adapters/sqlite/ledger/ledger-database.ts';
import { openLedgerStore } from '../../src/adapters/sqlite/ledger/ledger-store.ts';
import type { LedgerFiles } from '../../src/domain/ledger/entry/ledger-event.ts';
import { adding } from '../../src/domain/ledger/store.contract.ts';
import { TEST_KEY } from '../stores-in-memory.ts';

const [home = '', name = '', how = '0'] = process.argv.slice(2);
const directory = path.join(home, 'knowledge');
const database = await openLedgerDatabase({
  file: path.join(directory, 'knowledge.db'),
  records: path.join(home, 'records'),
  key: TEST_KEY,
});
const real = ledgerFilesIn(directory);
const dying: LedgerFiles = {
  lines: () => [],
  append(file, lines) {
    const target = path.join(directory, file);
    if (how === 'after') real.append(file, lines);
    if (how === 'inside')
      appendFileSync(target, lines.map(({ line }) => line.slice(0, line.length / 2)).join(''));
    process.kill(process.pid, 'SIGKILL');
    // The signal comes at once; this is never reached, and nothing may be written if it were.
    for (;;) writeFileSync('/dev/null', readFileSync('/dev/null'));
  },
};
const ledger = await openLedgerStore(database, {
  files: name === 'die' ? dying : real,
  warn: (text) => void process.stderr.write(`${text}\n`),
  key: TEST_KEY,
});
const say = (line: string) => writeSync(1, `${line}\n`);
const stamp = (eventId: string) => ({ eventId, at: 1000, actor: name, run: 'r' });

async function use(id: string, number: number): Promise<void> {
  const said = { query: 'q', outcome: 'helped', source: 'invocation' } as const;
  const eventId = `use-${name}-${number}`;
  await ledger.recordRetrieval({ ...said, returnedIds: [id], usedIds: [id], stamp: stamp(eventId) });
  say(eventId);
}

if (name === 'die') await ledger.decay({ asOf: 1000, dryRun: true, stamp: stamp('dry-run') });
else {
  say('begin');
  for (let number = 0; number < Number(how); number++) {
    const eventId = `${name}-${number}`;
    const onConflict = number % 2 === 0 ? 'merge' : 'supersede';
    const request = { mergeKey: `key ${number % 5}`, onConflict, stamp: stamp(eventId) } as const;
    const { id } = await ledger.add(adding(eventId, 1000, request));
    say(eventId);
    if (number % 5 === 4) await use(id, number);
  }
  say('end');
}
await database.close();
