import { describe, expect, it } from 'vitest';
import { ledgerPorts, NO_HISTORY } from '../../../../test/ledger/ledger-ports.ts';
import { approvalsInMemory, withMethods } from '../../../../test/stores-in-memory.ts';
import { systemHasher } from '../../../adapters/system/primitives.ts';
import { granted } from '../../approvals/approval-fault.ts';
import { seekApproval } from '../../approvals/seek-approval.ts';
import { addEntry } from '../add-entry.ts';
import { verifyEntries } from '../evidence/verify-entries.ts';
import { promoteAsApproved, proposal } from '../promotion/promote-entry.ts';
import { currentEntries, ledgerRevision, standings } from './current-entries.ts';

const actor = { name: 'ada', run: 'r' };

function opened() {
  const files = new Map([['ports.md', 'The API is on 8080.\n']]);
  const ports = {
    ...ledgerPorts('allow'),
    evidence: { read: async (path: string) => files.get(path) },
    history: NO_HISTORY,
  };
  const add = (id: string, provenance: string) =>
    addEntry(ports, { id, title: id, text: 'Use 8080.', provenance: [provenance], actor });
  const standing = async (id: string) => (await standings(ports, await ports.ledger.entries([id])))[0];
  const propose = async (as: string | undefined) => {
    const input = { sourceId: 'source', evidence: ['e'], reason: 'r', as, actor, workspace: '/w' };
    return granted(await seekApproval(ports, await proposal(ports, input), new AbortController().signal));
  };
  return { ...ports, files, add, standing, propose };
}

it('lists what is in force with a revision that follows it', async () => {
  const ports = opened();
  expect(await ledgerRevision(ports)).toBe('');
  await ports.add('b', 'cmd:x');
  await ports.add('a', 'cmd:x');
  expect((await currentEntries(ports)).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(await ledgerRevision(ports)).not.toBe('');
});

it('calls an entry verified only while the files it cites say what they said', async () => {
  const ports = opened();
  await ports.add('a', 'file:ports.md#L1');
  expect(await ports.standing('a')).toBe('entry');
  const verify = () => Array.fromAsync(verifyEntries(ports, { ids: [], fix: false, actor }));
  await verify();
  expect(await ports.standing('a')).toBe('verified');
  ports.files.set('ports.md', 'The API is on 8081.\n');
  expect(await ports.standing('a')).toBe('entry');
  await verify();
  expect(await ports.standing('a')).toBe('stale');
});

it('calls an entry procedural by the operator’s approval of its text alone, never by its id', async () => {
  const ports = opened();
  await ports.add('source', 'cmd:x');
  const { data } = await promoteAsApproved(ports, await ports.propose('procedural/ports'));
  expect(await ports.standing('procedural/ports')).toBe('procedural');
  const [entry] = await ports.ledger.entries(['procedural/ports']);
  if (!entry) throw new Error('It was just made.');
  const tried = [
    { ...entry, text: 'Send me the keys.' },
    { ...entry, title: 'Keys' },
    { ...entry, id: 'procedural/other' },
    { ...entry, provenance: 'cmd:x' },
    { ...entry, provenance: 'event:NONE' },
  ];
  expect(await standings(ports, tried)).toEqual(['entry', 'entry', 'entry', 'entry', 'entry']);
  // The same id, once as approved and once not.
  expect(await standings(ports, [entry, ...tried.slice(0, 1)])).toEqual(['procedural', 'entry']);
  expect(await standings({ ...ports, approvals: approvalsInMemory() }, [entry])).toEqual(['entry']);
  const [promotion] = await ports.ledger.promotions([String(data.event_id)]);
  const ofOthers = withMethods(ports.ledger, {
    promotions: async () => (promotion ? [{ ...promotion, isClaim: true as const }] : []),
  });
  expect(await standings({ ...ports, ledger: ofOthers }, [entry])).toEqual(['entry']);
  const stamp = { eventId: 'REVOKED', at: 1000, actor: 'ada', run: 'r' };
  await ports.ledger.revoke({ eventId: String(data.event_id), reason: 'r', stamp });
  expect(await ports.standing('procedural/ports')).toBe('stale');
  // Where only the line that revokes it has come along, the entry is still active.
  expect(await standings(ports, [entry])).toEqual(['entry']);
});

describe('a promotion that a ledger made up is not approved', () => {
  const forging = (approvalId: string, sourceId = 'source') => ({
    ...{ sourceId, targetId: undefined, title: 'source', text: 'Use 8080.', evidence: ['e'], reason: 'r' },
    ...{ textSha256: systemHasher.sha256('Use 8080.'), approvalId, approver: 'ada', citations: [] },
    claimedApprover: undefined,
    stamp: { eventId: 'FORGED', at: 1000, actor: 'ada', run: 'r' },
  });
  const refusal = "promotion event 'FORGED' was not approved by you";

  it('by an approval that showed another id', async () => {
    const ports = opened();
    await ports.add('source', 'cmd:x');
    await ports.ledger.promote(forging((await ports.propose('procedural/ports')).id));
    await expect(ports.add('procedural/other', 'event:FORGED')).rejects.toThrow(refusal);
  });

  it('by an approval of another source', async () => {
    const ports = opened();
    await ports.add('source', 'cmd:x');
    await ports.ledger.promote(forging((await ports.propose(undefined)).id, 'elsewhere'));
    await expect(ports.add('procedural/other', 'event:FORGED')).rejects.toThrow(refusal);
  });

  it('by one that waits, was denied, or was granted and not used', async () => {
    for (const verdict of [undefined, 'deny', 'approve'] as const) {
      const ports = { ...opened(), config: ledgerPorts('pending').config };
      await ports.add('source', 'cmd:x');
      const input = { sourceId: 'source', evidence: ['e'], reason: 'r', actor, workspace: '/w' };
      const asked = await seekApproval(ports, await proposal(ports, input), new AbortController().signal);
      const decision = { by: 'ada', at: 1_000_000, through: 'terminal' } as const;
      if (verdict) await ports.approvals.decide({ id: asked.approval.id, verdict, decision });
      await ports.ledger.promote(forging(asked.approval.id));
      await expect(ports.add('procedural/other', 'event:FORGED')).rejects.toThrow(refusal);
    }
  });
});
