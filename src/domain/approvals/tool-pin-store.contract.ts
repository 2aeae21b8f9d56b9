import { describe, expect, it } from 'vitest';
import type { ToolPin, ToolPinStore } from './tool-pin.ts';

function pin(given: Partial<ToolPin> = {}): ToolPin {
  const definition = { description: "it's \u0000 ü", parameters: { type: 'object' } };
  return { workspace: '/w', server: 'git', tool: 'log', definition, digest: 'd1', pinned: 1000, ...given };
}

/** The promises of `ToolPinStore`; every adapter's test file calls this once. */
export function itKeepsToolPins(name: string, open: () => Promise<ToolPinStore>): void {
  describe(`${name} as a ToolPinStore`, () => {
    it('keeps one pin for each tool of each server of each workspace', async () => {
      const store = await open();
      const others = [pin({ tool: 'show' }), pin({ server: 'hub' }), pin({ workspace: '/other' })];
      for (const one of [pin(), ...others, pin({ digest: 'd2' })]) await store.put(one);
      expect(await store.get(pin())).toEqual(pin({ digest: 'd2' }));
      expect(await store.list('/w')).toEqual([
        pin({ digest: 'd2' }),
        pin({ tool: 'show' }),
        pin({ server: 'hub' }),
      ]);
      expect(await store.get(pin({ tool: 'Log' }))).toBeUndefined();
    });

    it('forgets what is removed', async () => {
      const store = await open();
      await store.put(pin());
      expect(await store.remove(pin({ tool: 'show' }))).toBe(false);
      expect(await store.remove(pin())).toBe(true);
      expect(await store.get(pin())).toBeUndefined();
    });
  });
}
