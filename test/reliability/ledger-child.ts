// node ledger-child.ts DIRECTORY NAME COUNT: adds to shared merge keys and tells each on standard output.
// node ledger-child.ts DIRECTORY die before|inside|after: logs a decay and is killed around the write to its file.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ledgerFilesIn } from '../../src/adapters/files/ledger-files.ts';
import { openLedgerDatabase } from '../../src/adapters/sqlite/ledger-database.ts';
import { openLedgerStore } from '../../src/adapters/sqlite/ledger-store.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';
import type { LedgerFiles } from '../../src/domain/ledger/ledger-files.ts';
import { adding } from '../../src/domain/ledger/store.contract.ts';

const [home = '', name = '', how = '0'] = process.argv.slice(2);
const directory = path.join(home, 'knowledge');
const database = await openLedgerDatabase({
  file: path.join(directory, 'knowledge.db'),
  records: path.join(home, 'records'),
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
});
const ids = systemIds(systemClock);
const stamp = (eventId: string) => ({ eventId, at: 1000, actor: name, run: 'r' });
if (name === 'die') await ledger.decay({ asOf: 1000, dryRun: true, stamp: stamp(ids.ulid()) });
for (let number = 0; number < Number(how); number++) {
  const id = `${name}-${number}`;
  const onConflict = number % 2 === 0 ? 'merge' : 'supersede';
  await ledger.add(adding(id, 1000, { mergeKey: `key ${number % 5}`, onConflict, stamp: stamp(id) }));
  process.stdout.write(`${number}\n`);
}
await database.close();
