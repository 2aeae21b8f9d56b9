import { describe, expect, it } from 'vitest';
import { adding, faultOf, type OpenedLedger, stamp, turning } from './store.contract.ts';

export function itKeepsPromotions(name: string, open: () => Promise<OpenedLedger>): void {
  describe(`promotions of a ledger: ${name}`, () => {
    it('revoking an earlier promotion leaves alone what rests on a later one, and no promotion takes a key away', async () => {
      const { ledger } = await open();
      await ledger.add(adding('a', 10));
      const promoting = (approvalId: string, text: string, at: number) => ({
        ...{ sourceId: 'a', targetId: 'procedural/x', title: 'T', text, textSha256: text, evidence: ['e'] },
        ...{ reason: 'r', approvalId, approver: 'ada', claimedApprover: undefined, citations: [] },
        stamp: stamp(at),
      });
      const [first, second] = [promoting('ap1', 'One.', 20), promoting('ap2', 'Two.', 30)];
      await ledger.promote(first);
      await ledger.promote(second);
      expect(await ledger.revoke({ eventId: first.stamp.eventId, reason: 'r', stamp: stamp(40) })).toEqual(
        [],
      );
      expect(await ledger.entries(['procedural/x'])).toMatchObject([{ status: 'active', text: 'Two.' }]);
      await ledger.add(adding('procedural0', 45));
      const [, ...rules] = await ledger.current(46);
      expect(rules.map(({ id }) => id)).toEqual(['procedural/x', 'procedural0']);
      expect(await ledger.current(46, { only: 'rules' })).toEqual(rules.slice(0, 1));

      const open3 = { ...promoting('ap3', 'Three.', 50), targetId: undefined };
      await ledger.promote(open3);
      const permit = { eventId: open3.stamp.eventId, isApproved: true };
      const keyed = { text: 'Three.', textSha256: 'Three.', permit, mergeKey: 'k' };
      await ledger.add(adding('procedural/k', 51, keyed));
      await ledger.changeStatus(turning('deprecate', 'procedural/k', 52));
      await ledger.add(adding('holder', 53, { mergeKey: 'k' }));
      const again = { ...promoting('ap4', 'Four.', 54), targetId: 'procedural/k' };
      expect(await faultOf(ledger.promote(again))).toBe('ledger/conflict');
      expect(await ledger.entries(['procedural/k'])).toMatchObject([
        { status: 'deprecated', text: 'Three.' },
      ]);
    });

    it.each([
      ['merges into a rule', 'procedural/rule', 'other', 'merge'],
      ['merges a procedural id into an entry', 'plain', 'procedural/other', 'merge'],
      ['supersedes a rule', 'procedural/rule', 'other', 'supersede'],
      ['supersedes an entry by a rule', 'plain', 'procedural/other', 'supersede'],
    ] as const)('%s only with a promotion, and uses it up', async (_, holder, id, onConflict) => {
      const { ledger } = await open();
      await ledger.add(adding('a', 10));
      let approvals = 0;
      const permit = async () => {
        const request = {
          ...{ sourceId: 'a', targetId: undefined, title: 'T', text: 'Rule.', textSha256: 'h', reason: 'r' },
          ...{ evidence: ['e'], approvalId: `ap${++approvals}`, approver: 'ada', citations: [] },
          ...{ claimedApprover: undefined, stamp: stamp(20) },
        };
        await ledger.promote(request);
        return { eventId: request.stamp.eventId, isApproved: true };
      };
      const given = { text: 'Rule.', textSha256: 'h', mergeKey: 'k' };
      await ledger.add(adding(holder, 30, { ...given, permit: await permit() }));
      const change = { ...given, onConflict };
      expect(await faultOf(ledger.add(adding(id, 40, change)))).toBe('ledger/firewall');
      expect(await ledger.entries([holder, id])).toMatchObject([{ id: holder, version: 1 }]);
      const used = await permit();
      const { id: made } = await ledger.add(adding(id, 50, { ...change, permit: used }));
      expect(await ledger.promotions(['none', used.eventId])).toMatchObject([{ consumedBy: made }]);
      expect(await faultOf(ledger.add(adding('procedural/x', 60, { ...change, permit: used })))).toBe(
        'ledger/firewall',
      );
    });

    it('promotes once per approval, consumes, revokes and demotes', async () => {
      const { ledger } = await open();
      await ledger.add(adding('a', 10));
      const request = (approvalId: string, targetId: string | undefined) => ({
        sourceId: 'a',
        targetId,
        title: 'T',
        text: 'Rule.',
        textSha256: 'h',
        evidence: ['e'],
        reason: 'r',
        approvalId,
        approver: 'ada',
        claimedApprover: undefined,
        citations: [],
        stamp: stamp(20),
      });
      const made = request('ap1', 'procedural/x');
      await ledger.promote(made);
      await expect(ledger.promote(request('ap1', 'procedural/y'))).rejects.toThrow();
      expect(await ledger.entries(['procedural/x', 'procedural/y'])).toMatchObject([
        { id: 'procedural/x', text: 'Rule.', provenance: `event:${made.stamp.eventId}` },
      ]);
      const open2 = request('ap2', undefined);
      await ledger.promote(open2);
      const permit = { eventId: open2.stamp.eventId, isApproved: true };
      const given = { text: 'Rule.', textSha256: 'h', permit };
      expect(await faultOf(ledger.add(adding('procedural/z', 25, { ...given, textSha256: 'other' })))).toBe(
        'ledger/firewall',
      );
      expect(
        await faultOf(
          ledger.add(adding('procedural/z', 25, { ...given, permit: { ...permit, isApproved: false } })),
        ),
      ).toBe('ledger/firewall');
      await ledger.add(adding('procedural/z', 25, given));
      expect(await ledger.promotions([permit.eventId])).toMatchObject([
        { consumedBy: 'procedural/z', isRevoked: false },
      ]);
      expect(await faultOf(ledger.add(adding('procedural/w', 26, given)))).toBe('ledger/firewall');
      const bare = { ...request('ap4', undefined), evidence: [] };
      await ledger.promote(bare);
      const baseless = { ...given, permit: { eventId: bare.stamp.eventId, isApproved: true } };
      await expect(ledger.add(adding('procedural/w', 26, baseless))).rejects.toThrow(
        'is missing evidence_refs',
      );
      const unused = request('ap3', undefined);
      await ledger.promote(unused);
      await ledger.revoke({ eventId: unused.stamp.eventId, reason: 'r', stamp: stamp(27) });
      const late = { ...given, permit: { eventId: unused.stamp.eventId, isApproved: true } };
      await expect(ledger.add(adding('procedural/w', 28, late))).rejects.toThrow('was revoked');
      const revoke = () => ledger.revoke({ eventId: made.stamp.eventId, reason: 'r', stamp: stamp(30) });
      expect(await revoke()).toEqual(['procedural/x']);
      expect(await faultOf(revoke())).toBe('ledger/conflict');
      expect(await faultOf(ledger.changeStatus(turning('restore', 'procedural/x', 31)))).toBe(
        'ledger/firewall',
      );
      expect(await ledger.hasEvent(made.stamp.eventId)).toBe(true);
      expect(await ledger.hasEvent('none')).toBe(false);
    });
  });
}
