import { describe, expect, it } from 'vitest';
import type { EntryHistory } from './exchange/exported-entry.ts';
import { inChainOrder } from './plans/plan-import.ts';
import { adding, type OpenedLedger, stamp } from './store.contract.ts';
import type { LedgerStore } from './store.ts';

let made = 0;
/** All of a ledger. */
async function historiesOf(ledger: LedgerStore): Promise<EntryHistory[]> {
  const told: EntryHistory[] = [];
  await ledger.histories((history) => void told.push(history));
  return told;
}

const importing = (histories: readonly EntryHistory[], at = 900, dryRun = false) => ({
  batches: inChainOrder(
    histories.map((history) => {
      const [{ id, supersedes }] = history.versions;
      return { id, supersedes, history };
    }),
  ).map(({ history }) => [history]),
  dryRun,
  stamp: stamp(at),
  newEventId: () => `I${++made}`,
});

/** A ledger with a merge, a supersession and feedback. */
async function fill({ ledger }: OpenedLedger): Promise<void> {
  const labels = [{ kind: 'set', key: 'team', value: 'red' }] as const;
  await ledger.add(adding('b', 10, { mergeKey: 'k', claimId: 'c', tags: ['t'], labels }));
  const citations = [{ provenance: 'file:a', sha256: 'a'.repeat(64) }] as const;
  await ledger.add(adding('x', 20, { mergeKey: 'k', text: 'Newer.', citations }));
  await ledger.add(adding('a', 30, { mergeKey: 'k', onConflict: 'supersede' }));
  const said = { query: 'q', outcome: 'helped', source: 'invocation' } as const;
  await ledger.recordRetrieval({ ...said, returnedIds: ['a', 'b'], usedIds: ['a'], stamp: stamp(40) });
}

export function itKeepsHistories(name: string, open: () => Promise<OpenedLedger>): void {
  describe(`histories of a ledger: ${name}`, () => {
    const filled = async () => {
      const opened = await open();
      await fill(opened);
      return opened.ledger;
    };
    const whats = (ends: readonly { id: string; what: string }[]) =>
      Object.fromEntries(ends.map(({ id, what }) => [id, what]));

    it('go from one ledger to another with every version at its time', async () => {
      const source = await filled();
      const { ledger } = await open();
      const told = await historiesOf(source);
      expect(told.map(({ versions }) => versions.length)).toEqual([1, 3]);
      expect(whats(await ledger.importHistories(importing(told, 900, true)))).toEqual({
        b: 'imported',
        a: 'imported',
      });
      expect(await ledger.list({ limit: -1 })).toEqual([]);
      await ledger.importHistories(importing(told));
      expect(await historiesOf(ledger)).toEqual(told);
      for (const at of [9, 10, 20, 29, 30, 99])
        expect(await ledger.list({ at, limit: 9 })).toEqual(await source.list({ at, limit: 9 }));
      expect((await ledger.events('b')).map(({ type, at }) => [type, at])).toEqual([
        ['import', 10],
        ['import', 20],
        ['import', 30],
      ]);
    });

    it('are not doubled, grow, and leave alone what went another way', async () => {
      const source = await filled();
      const { ledger } = await open();
      const early = (await historiesOf(source)).map(({ versions: [first], citations, feedback }) => ({
        versions: [first] as const,
        citations: citations.filter(({ version }) => version === 1),
        feedback,
      }));
      await ledger.importHistories(importing(early.slice(1)));
      expect(whats(await ledger.importHistories(importing(await historiesOf(source), 900, true)))).toEqual({
        b: 'updated',
        a: 'imported',
      });
      expect(whats(await ledger.importHistories(importing(await historiesOf(source))))).toEqual({
        b: 'updated',
        a: 'imported',
      });
      expect(whats(await ledger.importHistories(importing(await historiesOf(source))))).toEqual({
        b: 'unchanged',
        a: 'unchanged',
      });
      expect(whats(await ledger.importHistories(importing(early)))).toEqual({
        b: 'unchanged',
        a: 'unchanged',
      });
      const { ledger: other } = await open();
      await other.add(adding('b', 11));
      await other.add(adding('c', 12, { mergeKey: 'k' }));
      expect(await other.importHistories(importing(await historiesOf(source)))).toEqual([
        { id: 'b', what: 'conflict', reason: 'There is another entry of this id.' },
        { id: 'a', what: 'conflict', reason: '"c" is active under its merge key.' },
      ]);
      expect((await historiesOf(other)).map(({ versions }) => versions.length)).toEqual([1, 1]);
    });

    it('never make a rule, and never a circle', async () => {
      const { ledger } = await open();
      const source = await filled();
      const [
        {
          versions: [first],
          ...rest
        } = { versions: [] as const },
      ] = await historiesOf(source);
      if (!first || !('feedback' in rest)) throw new Error('It was just filled.');
      const linked = (id: string, supersedes: string): EntryHistory => ({
        ...rest,
        versions: [{ ...first, id, supersedes, mergeKey: undefined }],
      });
      const given = [linked('procedural/x', 'none'), linked('p', 'q'), linked('q', 'p'), linked('q', 'p')];
      const ends = await ledger.importHistories(importing(given));
      expect(ends.map(({ id, what }) => `${id}: ${what}`).sort()).toEqual([
        'p: imported',
        'procedural/x: refused',
        'q: conflict',
        'q: imported',
      ]);
      const links = (await ledger.list({ limit: 9 })).map(({ id, supersedes }) => [id, supersedes]);
      expect(links.filter(([, supersedes]) => supersedes !== undefined).length).toBe(1);
    });
  });
}
