/** Histories of any kind, as steps that are carried out on a ledger one after the other. */

import fc from 'fast-check';
import { expect } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { adding } from '../../src/domain/ledger/store.contract.ts';
import type { LedgerStore } from '../../src/domain/ledger/store.ts';

const LIFETIMES = { ephemeral_days: 1, decay_days: 2 };
const RULE = 'procedural/rule';

export const step = fc.record({
  kind: fc.constantFrom(
    ...(['add', 'add', 'add', 'add', 'deprecate', 'restore', 'decay'] as const),
    ...(['fix', 'fix', 'promote', 'revoke', 'use'] as const),
  ),
  wait: fc.nat(2),
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  key: fc.constantFrom(undefined, 'k', 'l'),
  policy: fc.constantFrom('merge', 'supersede', 'reject'),
  ttl: fc.constantFrom(undefined, 'ephemeral', 'decay'),
  life: fc.nat(6),
  word: fc.constantFrom('red', 'green', 'blue'),
  line: fc.integer({ min: 1, max: 3 }),
  sha256: fc.constantFrom(undefined, 'h1', 'h2'),
});

export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const PLAIN: Omit<Step, 'kind'> = {
  ...({ wait: 1, id: 'a', key: undefined, policy: 'merge', ttl: undefined } as const),
  ...({ life: 4, word: 'red', line: 1, sha256: 'h1' } as const),
};

/** A history in which every kind of step does something. */
export const EVERY_KIND: readonly Step[] = [
  { ...PLAIN, kind: 'add' },
  { ...PLAIN, kind: 'deprecate' },
  { ...PLAIN, kind: 'restore' },
  { ...PLAIN, kind: 'fix' },
  { ...PLAIN, kind: 'use' },
  { ...PLAIN, kind: 'promote' },
  { ...PLAIN, kind: 'revoke' },
  { ...PLAIN, kind: 'add', id: 'b', ttl: 'ephemeral', life: 0 },
  { ...PLAIN, kind: 'decay' },
];

const provenance = (line: number) => `file:f#L${line}`;

/** Answers the second after the last. What a step must not do, it does not. */
export async function carryOut(ledger: LedgerStore, steps: readonly Step[]): Promise<number> {
  let now = 1;
  for (const [at, each] of steps.entries()) {
    now += each.wait;
    const stamp = { eventId: `E${at + 1}`, at: now, actor: 'ada', run: 'r' };
    await work(ledger, each, stamp).catch((error: unknown) => expect(error).toBeInstanceOf(Fault));
  }
  return now + 1;
}

type Stamp = Parameters<LedgerStore['decay']>[0]['stamp'];

async function work(ledger: LedgerStore, given: Step, stamp: Stamp): Promise<unknown> {
  const { kind, id, life } = given;
  switch (kind) {
    case 'add':
      return add(ledger, given, stamp);
    case 'decay':
      return ledger.decay({ asOf: stamp.at, dryRun: life === 0, stamp });
    case 'deprecate':
    case 'restore':
      return ledger.changeStatus({ id, action: kind, reason: undefined, lifetimes: LIFETIMES, stamp });
    case 'fix':
      return fix(ledger, given, stamp);
    case 'promote':
      return promote(ledger, given, stamp);
    case 'revoke':
      return ledger.revoke({ eventId: await lastPromotion(ledger), reason: 'r', stamp });
    case 'use':
      return ledger.recordRetrieval({
        ...{ query: 'q', outcome: 'helped', source: 'invocation' },
        ...{ returnedIds: [id], usedIds: [id], stamp },
      });
  }
}

function add(ledger: LedgerStore, given: Step, stamp: Stamp) {
  const { id, key, policy, ttl, life, word, line, sha256 } = given;
  return ledger.add(
    adding(id, stamp.at, {
      ...{ mergeKey: key, onConflict: policy, ttlPolicy: ttl, text: word, stamp, lifetimes: LIFETIMES },
      expires: ttl && stamp.at + life,
      citations: [
        { provenance: provenance(line), sha256 },
        { provenance: provenance((line % 3) + 1), sha256: 'h1' },
      ],
    }),
  );
}

/** Every citation of the entry moves, or all but the first: in circles, onto each other, to where one was before. */
async function fix(ledger: LedgerStore, { id, life, line }: Step, stamp: Stamp): Promise<void> {
  const [entry] = await ledger.entries([id]);
  const moved = (entry?.citations ?? []).slice(life % 2);
  const checked = moved.map(({ provenance: from }, at) => ({
    ...({ id, provenance: from, verdict: 'moved', reason: undefined, isFixed: true } as const),
    movedTo: provenance(life < 3 ? line : ((line + at) % 3) + 1),
  }));
  if (checked.some((each) => each.movedTo === each.provenance)) return;
  await ledger.recordVerdicts({ checked, stamp });
}

function promote(ledger: LedgerStore, { id, word, line }: Step, stamp: Stamp): Promise<void> {
  return ledger.promote({
    ...{ sourceId: id, targetId: RULE, title: 'Rule', text: word, textSha256: 'h', evidence: ['e'] },
    ...{ reason: 'r', approvalId: stamp.eventId, approver: 'ada', claimedApprover: undefined, stamp },
    citations: [{ provenance: provenance(line), sha256: 'h1' }],
  });
}

async function lastPromotion(ledger: LedgerStore): Promise<string> {
  return (await ledger.events(RULE)).findLast(({ type }) => type === 'promotion')?.eventId ?? 'none';
}
