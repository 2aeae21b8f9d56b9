/** Adds entries to the ledger of a team, and prints what became of each. Started by `many-writers.test.ts`. */

import { setTimeout } from 'node:timers/promises';
import { postgresLedgerStore } from '../../src/adapters/postgres/ledger/ledger-store.ts';
import { openDatabase } from '../../src/adapters/postgres/seam/open-database.ts';
import { Fault } from '../../src/base/fault.ts';

const [url = '', name = '', count = '0'] = process.argv.slice(2);
const database = await openDatabase(url);
const ledger = postgresLedgerStore(database, { team: 'many', workspace: 'writers' });

for (let at = 0; at < Number(count); at++) {
  const id = `${name}-${at}`;
  // A key that all of them want, and one that only its two last writers had.
  const mergeKey = at % 2 === 0 ? 'wanted-by-all' : `key-${at % 8}`;
  process.stdout.write(`${await added(id, mergeKey)} ${id}\n`);
}
await database.close();

/** `added`, or the code of the fault. While the server is away, tries again as a person would. */
async function added(id: string, mergeKey: string): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      await ledger.add({
        id,
        title: `About ${id}`,
        text: `What ${id} says.`,
        textSha256: 'none',
        citations: [{ provenance: 'cmd:writer', sha256: undefined }],
        claimId: undefined,
        mergeKey,
        onConflict: 'supersede',
        status: undefined,
        ttlPolicy: undefined,
        expires: undefined,
        tags: [],
        labels: [],
        lifetimes: { ephemeral_days: 7, decay_days: 30 },
        permit: undefined,
        stamp: { eventId: `event-${id}`, at: 1000, actor: name, run: 'run' },
      });
      return 'added';
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.code !== 'team/unavailable' || tries >= 100) return error.code;
      await setTimeout(50);
    }
  }
}
