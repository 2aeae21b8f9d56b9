import { expect, it } from 'vitest';
import { Fault } from '../../../base/fault.ts';
import { keepIndexFresh } from './keep-index-fresh.ts';

/** Time passes only where the code waits. */
function world() {
  let now = 0;
  let changed = () => {};
  const waits: number[] = [];
  const stop = new AbortController();
  const atWait: (() => void)[] = [];
  return {
    stop,
    waits,
    change: () => changed(),
    /** Called at the next waits, in this order. */
    atWait,
    ports: {
      clock: { now: () => now },
      timer: {
        async wait(milliseconds: number) {
          waits.push(milliseconds);
          now += milliseconds;
          atWait.shift()?.();
        },
      },
      fileWatch: {
        open: async (given: () => void) => {
          changed = given;
          return { set: () => ({ added: 0, unwatched: 0 }), close() {} };
        },
      },
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

it('syncs once for a burst, when it has ended', async () => {
  const { ports, stop, change, atWait } = world();
  let syncs = 0;
  const sync = async () => {
    syncs += 1;
    if (syncs === 1) atWait.push(change, change, change);
    else stop.abort();
  };
  await keepIndexFresh(ports, { directories: async () => [], sync }, stop.signal);
  expect(syncs).toBe(2);
});

it('syncs again when something changes while it syncs, and does not wait for the end of a long burst', async () => {
  const { ports, stop, change, atWait, waits } = world();
  let syncs = 0;
  const sync = async () => {
    syncs += 1;
    if (syncs === 1) {
      change();
      for (let at = 0; at < 100; at++) atWait.push(change);
    } else stop.abort();
  };
  await keepIndexFresh(ports, { directories: async () => [], sync }, stop.signal);
  expect(syncs).toBe(2);
  expect(waits.reduce((sum, each) => sum + each)).toBeLessThan(3_000);
});

it('rests longer than it works', async () => {
  const { ports, stop, change, waits, pass } = world();
  let syncs = 0;
  const sync = async () => {
    syncs += 1;
    pass(500);
    if (syncs === 1) change();
    else stop.abort();
  };
  await keepIndexFresh(ports, { directories: async () => [], sync }, stop.signal);
  expect(waits[0]).toBe(2_000);
});

it('tries a sync that failed again, later each time, and throws what is a bug', async () => {
  const { ports, stop, waits } = world();
  const faults: string[] = [];
  let syncs = 0;
  const sync = async () => {
    syncs += 1;
    if (syncs === 3) throw new Error('a bug');
    throw new Fault('store/busy', `busy ${syncs}`);
  };
  const input = {
    directories: async () => [],
    sync,
    onFault: ({ message }: Fault) => void faults.push(message),
  };
  await expect(keepIndexFresh(ports, input, stop.signal)).rejects.toThrow('a bug');
  expect(faults).toEqual(['busy 1', 'busy 2']);
  expect(waits).toEqual([5_000, 10_000]);
});

it('watches again until no directory is new', async () => {
  const { ports, stop } = world();
  const added = [3, 1, 0];
  let passes = 0;
  const fileWatch = {
    open: async () => ({ set: () => ({ added: added[passes++] ?? 0, unwatched: 2 }), close() {} }),
  };
  const rounds: object[] = [];
  await keepIndexFresh(
    { ...ports, fileWatch },
    {
      directories: async () => ['a', 'b', 'c', 'd'],
      sync: async () => 'done',
      onRound(round) {
        rounds.push(round);
        stop.abort();
      },
    },
    stop.signal,
  );
  expect(passes).toBe(3);
  expect(rounds).toEqual([{ result: 'done', ms: 0, watched: 2, unwatched: 2 }]);
});
