import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../base/time.ts';
import type { Timer } from '../../domain/turns/model/ask-model.ts';

export const systemClock: Clock = { now: () => Date.now() };

export const systemTimer: Timer = {
  random: Math.random,
  async wait(milliseconds, signal) {
    // An aborted wait has simply ended.
    await sleep(milliseconds, undefined, { signal }).catch(() => {});
  },
};
