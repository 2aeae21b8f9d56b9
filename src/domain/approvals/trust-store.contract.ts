import { describe, expect, it } from 'vitest';
import type { TrustRecord, TrustStore } from './trust.ts';

function record(given: Partial<TrustRecord> = {}): TrustRecord {
  const definitions = [{ key: 'providers.mcp.git', value: '{"command":"it\'s \\u0000 ü"}' }];
  return {
    workspace: '/w',
    sources: [{ file: '.ken/config.toml', isAlwaysRead: true, definitions }],
    digest: 'd1',
    decision: { by: 'ada', at: 1000, through: 'terminal' },
    ...given,
  };
}

/** The promises of `TrustStore`; every adapter's test file calls this once. */
export function itKeepsTrust(name: string, open: () => Promise<TrustStore>): void {
  describe(`${name} as a TrustStore`, () => {
    it('gives back what was trusted, for that workspace alone', async () => {
      const store = await open();
      await store.put(record());
      expect(await store.get('/w')).toEqual(record());
      expect(await store.get('/w/')).toBeUndefined();
      expect(await store.get('/W')).toBeUndefined();
    });

    it('keeps the last word', async () => {
      const store = await open();
      await store.put(record());
      await store.put(record({ workspace: '/other' }));
      await store.put(record({ digest: 'd2', sources: [] }));
      expect(await store.get('/w')).toEqual(record({ digest: 'd2', sources: [] }));
      expect(await store.get('/other')).toEqual(record({ workspace: '/other' }));
    });

    it('forgets what is revoked', async () => {
      const store = await open();
      await store.put(record());
      expect(await store.revoke('/other')).toBe(false);
      expect(await store.revoke('/w')).toBe(true);
      expect(await store.revoke('/w')).toBe(false);
      expect(await store.get('/w')).toBeUndefined();
    });
  });
}
