import type { Clock } from '../../base/time.ts';
import type { Timer } from '../../domain/turns/model/ask-model.ts';

export const systemClock: Clock = { now: () => Date.now() };

export const systemTimer: Timer = {
  random: Math.random,
  async wait(milliseconds, signal) {
    const { setTimeout: sleep } = await import('node:timers/promises');
    // An aborted wait has simply ended.
    await sleep(milliseconds, undefined, { signal }).catch(() => {});
  },
};
