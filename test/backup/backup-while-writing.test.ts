import path from 'node:path';
import { expect, it } from 'vitest';
import { ledgerSandbox } from '../ledger/ledger-sandbox.ts';
import { scaled } from '../scale.ts';

const WRITERS = scaled(4);
const ENTRIES = 6;

it('a backup holds everything acknowledged before it, and nothing half, while others write', async () => {
  const place = ledgerSandbox();
  const acknowledged: string[] = [];
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let number = 0; number < ENTRIES; number++) {
      const id = `w${writer}-${number}`;
      const words = ['k', 'add', '--id', id, '--title', id, '--text', `fact ${id}`, '--provenance', 'cmd:x'];
      expect((await place.ken(words)).code).toBe(0);
      acknowledged.push(id);
    }
  });
  const backups: { file: string; before: string[] }[] = [];
  let isWriting = true;
  const done = Promise.all(writing).finally(() => {
    isWriting = false;
  });
  for (let number = 0; isWriting && number < 4; number++) {
    const before = [...acknowledged];
    const file = path.join(place.home, `${number}.ken.tar.gz`);
    expect(await place.ken(['backup', file])).toMatchObject({ code: 0 });
    backups.push({ file, before });
  }
  await done;
  expect(backups.length).toBeGreaterThan(0);
  for (const [number, { file, before }] of backups.entries()) {
    const to = path.join(place.home, `fresh-${number}`);
    expect(await place.ken(['restore', file, '--to', to])).toMatchObject({ code: 0 });
    const listed = await place.ken(['k', 'list', '--limit', '1000', '--json'], { directory: to });
    const ids: string[] = JSON.parse(listed.stdout).entries.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(before));
    expect(acknowledged).toEqual(expect.arrayContaining(ids));
    const { stdout } = await place.ken(['doctor'], { directory: to });
    expect(stdout).toMatch(new RegExp(`ok +Ledger: ${ids.length} active entr`));
  }
});
