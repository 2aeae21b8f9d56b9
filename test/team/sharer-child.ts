/** Replaces a reference topic of a team again and again, and prints each state. Started by `many-sharers.test.ts`. */

import { postgresReferenceLibrary } from '../../src/adapters/postgres/references/library.ts';
import { openDatabase } from '../../src/adapters/postgres/seam/open-database.ts';
import type { ReferenceTopic } from '../../src/domain/references/topic/topic.ts';

const [url = '', team = '', name = '', rounds = '0', files = '0'] = process.argv.slice(2);
const database = await openDatabase(url);
const topicFormat = {
  format: (topic: ReferenceTopic) => topic.title,
  parse: (slug: string, title: string) => ({ ok: true as const, topic: described(slug, title) }),
};
const library = postgresReferenceLibrary({ database, tenant: { team, workspace: 'garden' }, topicFormat });

for (let round = 0; round < Number(rounds); round++) {
  const state = `${name} ${round}`;
  const staged = await library.stage();
  for (let at = 0; at < Number(files); at++) {
    // Half of the files are the same in every state.
    await staged.write(`${at}.md`, Buffer.from(at % 2 === 0 ? `always ${at}` : `${state} ${at}`));
  }
  const lock = { files: [], skipped: [] };
  const isNew = await staged.publish(described('signals', state), lock);
  const isThere = isNew || (await staged.replace('signals', () => described('signals', state), lock));
  await staged.discard();
  process.stdout.write(`${isThere ? 'shared' : 'not shared'} ${state}\n`);
}
await database.close();

function described(slug: string, title: string): ReferenceTopic {
  return {
    ...{ slug, title, body: '', tags: [], labels: new Map(), status: 'active', createdAt: 0, maxAgeDays: 0 },
    ...{
      createdBy: { ghost: 'ken', model: undefined, unknown: {} },
      fetchedAt: 0,
      trustScore: 5,
      sources: [],
    },
    ...{ files: { first: [], count: 0 }, changes: [], unknown: {} },
  };
}
