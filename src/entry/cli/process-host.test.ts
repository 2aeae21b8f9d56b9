import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endProcess } from './process-host.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A process whose reader has left this many bytes. */
function host(unread: number) {
  return { stdout: { writableLength: unread }, stderr: { writableLength: 0 }, exit: vi.fn() };
}

it('waits for a reader as long as it takes', async () => {
  const slow = host(5);
  endProcess(slow, 0);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(slow.exit).not.toHaveBeenCalled();
  slow.stdout.writableLength = 0;
  await vi.advanceTimersByTimeAsync(200);
  expect(slow.exit).toHaveBeenCalled();
});

it('waits for nobody any more soon after a signal', async () => {
  const stuck = host(5);
  endProcess(stuck, 143);
  await vi.advanceTimersByTimeAsync(500);
  expect(stuck.exit).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stuck.exit).toHaveBeenCalled();
});
