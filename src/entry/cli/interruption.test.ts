import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { lazyInterruption } from './interruption.ts';

function scene() {
  const events = new EventEmitter();
  const exits: number[] = [];
  const clock = { milliseconds: 1000 };
  const source = {
    on: (name: string, listener: () => void) => events.on(name, listener),
    off: (name: string, listener: () => void) => events.off(name, listener),
    exit: (code: number) => void exits.push(code),
  };
  return { events, exits, clock, interruption: lazyInterruption(source, () => clock.milliseconds) };
}

it('leaves the signals alone until a command reads the abort signal', () => {
  const { events, interruption } = scene();
  expect(events.eventNames()).toEqual([]);
  expect(interruption.signal.aborted).toBe(false);
  expect(interruption.signal).toBe(interruption.signal);
  expect(events.listenerCount('SIGINT')).toBe(1);
});

it('aborts at the first Ctrl-C and leaves at the second', () => {
  const { events, exits, clock, interruption } = scene();
  const { signal } = interruption;
  events.emit('SIGINT');
  expect({ aborted: signal.aborted, code: interruption.exitCode, exits }).toEqual({
    aborted: true,
    code: 130,
    exits: [],
  });
  clock.milliseconds += 1000;
  events.emit('SIGINT');
  expect(exits).toEqual([130]);
});

it('leaves the signals alone again once it is released', () => {
  const { events, interruption } = scene();
  const { signal } = interruption;
  interruption.release();
  expect(['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => events.listenerCount(name))).toEqual([0, 0, 0]);
  expect(signal.aborted).toBe(false);
});

it('takes what arrives twice at once for one press', () => {
  const { events, exits, clock, interruption } = scene();
  expect(interruption.signal.aborted).toBe(false);
  events.emit('SIGINT');
  clock.milliseconds += 20;
  events.emit('SIGINT');
  expect(exits).toEqual([]);
});

it('stops for termination as well, with its own code', () => {
  const { events, interruption } = scene();
  expect(interruption.signal.aborted).toBe(false);
  events.emit('SIGTERM');
  expect({ aborted: interruption.signal.aborted, code: interruption.exitCode }).toEqual({
    aborted: true,
    code: 143,
  });
});
