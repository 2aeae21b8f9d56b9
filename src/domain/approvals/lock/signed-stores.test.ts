import { describe, expect, it } from 'vitest';
import { sqliteApprovalStore } from '../../../adapters/sqlite/approvals/approval-store.ts';
import { openApprovalsDatabase } from '../../../adapters/sqlite/approvals/approvals-database.ts';
import { sqliteStandingApprovals } from '../../../adapters/sqlite/approvals/standing-approvals.ts';
import { sqliteToolPinStore } from '../../../adapters/sqlite/approvals/tool-pin-store.ts';
import { sqliteTrustStore } from '../../../adapters/sqlite/approvals/trust-store.ts';
import { systemHasher } from '../../../adapters/system/primitives.ts';
import { newApproval } from '../approval-store.contract.ts';
import { standingApproval } from '../standing/standing-approvals.contract.ts';
import { definitionDigest } from '../tool-pin.ts';
import { trustDigest } from '../trust.ts';
import type { ApprovalsLock, LockState } from './approvals-lock.ts';
import { signedApprovals, signedStandingApprovals, signedToolPins, signedTrust } from './signed-stores.ts';

const NOW = newApproval().created + 1000;
const ada = { by: 'ada', at: NOW, through: 'terminal' } as const;

/** Signs by repeating; `isOn` and `isOpen` can be changed. */
function switchable() {
  const state = { isOn: true, isOpen: true };
  const on: LockState = {
    ...{ kind: 'on', place: 'home', file: 'f', publicKey: 'k' },
    created: 0,
    reset: undefined,
  };
  const lock: ApprovalsLock = {
    state: async () => (state.isOn ? on : { kind: 'off' }),
    open: async () => state.isOpen,
    async sign(statement) {
      if (!state.isOn) return undefined;
      if (!state.isOpen) throw new Error('locked');
      return `signed:${statement}`;
    },
    believes: async (statement, signature) => !state.isOn || signature === `signed:${statement}`,
    lock: async () => 'k',
    verifies: async () => true,
    lockSystem: async () => ({ isDone: true, file: 'f' }),
    holder: async () => ({
      unlock: async () => true,
      isOpen: async () => true,
      close() {},
      run: (work) => work(),
    }),
    remove: async () => {},
  };
  return { lock, state };
}

async function stores(scope = '/data') {
  const database = await openApprovalsDatabase(':memory:');
  const { lock, state } = switchable();
  const under = (other: string) => {
    const ports = { lock, hasher: systemHasher, scope: other };
    return {
      approvals: signedApprovals(ports, sqliteApprovalStore(database)),
      trust: signedTrust(ports, sqliteTrustStore(database)),
      toolPins: signedToolPins(ports, sqliteToolPinStore(database)),
      standing: signedStandingApprovals(ports, sqliteStandingApprovals(database)),
    };
  };
  return { database, state, under, ...under(scope) };
}

describe('approvals', () => {
  it('are used only when they were signed', async () => {
    const { approvals, state } = await stores();
    await approvals.request(newApproval());
    state.isOn = false;
    await approvals.decide({ id: 'a1', verdict: 'approve', decision: ada });
    state.isOn = true;
    const { workspace, digest } = newApproval();
    expect(await approvals.consume({ workspace, digest }, NOW)).toBeUndefined();
    expect((await approvals.get('a1', NOW))?.state.status).toBe('expired');
    expect(await approvals.list({ statuses: ['approved'] }, NOW)).toEqual([]);
    await approvals.request(newApproval({ id: 'a2' }));
    await approvals.decide({ id: 'a2', verdict: 'approve', decision: ada });
    expect((await approvals.consume({ workspace, digest }, NOW))?.id).toBe('a2');
    expect((await approvals.get('a2', NOW))?.state.status).toBe('consumed');
  });

  it.each([
    ['its request', "update approval set request = '{}'"],
    ['its reason', `update approval set reason = '{"type":"workspace_escape","path":"/"}'`],
    ['its workspace', "update approval set workspace = '/elsewhere'"],
    ['its end', 'update approval set expires = expires + 1'],
    ['who decided', "update approval set decided_by = 'eve'"],
  ])('of which somebody changed %s count for nothing', async (_, change) => {
    const { approvals, database } = await stores();
    await approvals.request(newApproval());
    await approvals.decide({ id: 'a1', verdict: 'approve', decision: ada });
    expect((await approvals.get('a1', NOW))?.state.status).toBe('approved');
    database.connection.exec(change);
    expect((await approvals.get('a1', NOW))?.state.status).toBe('expired');
  });

  it('that were used at once cannot be turned into ones that wait for their use', async () => {
    const { approvals, database } = await stores();
    await approvals.request(newApproval());
    await approvals.decide({ id: 'a1', verdict: 'approve-and-consume', decision: ada });
    expect((await approvals.get('a1', NOW))?.state.status).toBe('consumed');
    database.connection.exec("update approval set status = 'approved', consumed = null");
    expect((await approvals.get('a1', NOW))?.state.status).toBe('expired');
  });

  it('are not decided without the key, and denied with or without it', async () => {
    const { approvals, state } = await stores();
    await approvals.request(newApproval());
    state.isOpen = false;
    const ruling = { id: 'a1', verdict: 'approve', decision: ada } as const;
    await expect(approvals.decide(ruling)).rejects.toThrow('locked');
    expect((await approvals.get('a1', NOW))?.state.status).toBe('pending');
    await approvals.decide({ ...ruling, verdict: 'deny' });
    expect((await approvals.get('a1', NOW))?.state.status).toBe('denied');
  });

  it('of another data directory count for nothing', async () => {
    const { approvals, under } = await stores();
    await approvals.request(newApproval());
    await approvals.decide({ id: 'a1', verdict: 'approve', decision: ada });
    expect((await under('/copy').approvals.get('a1', NOW))?.state.status).toBe('expired');
  });
});

const sources = [{ file: 'c', isAlwaysRead: true, definitions: [{ key: 'k', value: '1' }] }];
const record = { workspace: '/w', sources, digest: trustDigest(systemHasher, sources), decision: ada };
const definition = { name: 'x' };
const pin = {
  ...{ workspace: '/w', server: 's', tool: 't', definition },
  digest: definitionDigest(systemHasher, definition),
  pinned: NOW,
};

it('trust and accepted tools count only when signed, as they were signed, and where', async () => {
  const { trust, toolPins, database, state, under } = await stores();
  state.isOn = false;
  await trust.put(record);
  await toolPins.put(pin);
  expect([await trust.get('/w'), await toolPins.get(pin)]).toEqual([record, pin]);
  state.isOn = true;
  expect([await trust.get('/w'), await toolPins.get(pin), await toolPins.list('/w')]).toEqual([
    undefined,
    undefined,
    [],
  ]);
  await trust.put(record);
  await toolPins.put(pin);
  expect(await trust.get('/w')).toMatchObject(record);
  expect(await toolPins.list()).toMatchObject([pin]);
  expect([await under('/copy').trust.get('/w'), await under('/copy').toolPins.get(pin)]).toEqual([
    undefined,
    undefined,
  ]);
  database.connection.exec("update trust set sources = replace(sources, '1', '2')");
  database.connection.exec("update tool_pin set definition = '{}'");
  expect([await trust.get('/w'), await toolPins.get(pin)]).toEqual([undefined, undefined]);
});

it('believes a standing approval only as it was signed, in this data directory', async () => {
  const { standing, under, database, state } = await stores();
  const given = standingApproval();
  await standing.add(given);
  expect(await standing.find(given, given.created)).toMatchObject({ id: 's1' });
  expect(await under('/other').standing.find(given, given.created)).toBeUndefined();
  expect(await under('/other').standing.list(given.created)).toEqual([]);
  database.connection.exec('update standing_approval set expires = expires + 1');
  expect(await standing.find(given, given.created)).toBeUndefined();
  state.isOn = false;
  expect(await standing.find(given, given.created)).toMatchObject({ id: 's1' });
});
