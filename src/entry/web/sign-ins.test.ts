import { expect, it } from 'vitest';
import { countingIds } from '../../../test/doubles/ids.ts';
import { isFormToken, signIns } from './sign-ins.ts';

const HOUR = 3_600_000;

function browsers() {
  let now = 0;
  const known = signIns({ clock: { now: () => now }, ids: countingIds() });
  return {
    known,
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

it('takes a login address once, and only for a few minutes', () => {
  const { known, wait } = browsers();
  const [first, second] = [known.offer(), known.offer()];
  expect(known.redeem(first)).toBeDefined();
  expect(known.redeem(first)).toBeUndefined();
  expect(known.isOffered(second)).toBe(true);
  wait(5 * 60_000);
  expect([known.isOffered(second), known.redeem(second)]).toEqual([false, undefined]);
  expect(known.redeem('')).toBeUndefined();
});

it('forgets a browser that was idle for hours, and closes its lock', () => {
  const { known, wait } = browsers();
  const cookie = known.redeem(known.offer());
  let isClosed = false;
  const isOpen = async () => true;
  const signIn = known.find(cookie);
  if (signIn)
    signIn.lock = {
      ...{ unlock: isOpen, isOpen, run: (work) => work() },
      close: () => {
        isClosed = true;
      },
    };
  wait(7 * HOUR);
  expect(known.find(cookie)).toBe(signIn);
  wait(7 * HOUR);
  expect(known.find(cookie)).toBe(signIn);
  wait(8 * HOUR + 1);
  expect([known.find(cookie), isClosed]).toEqual([undefined, true]);
  expect(known.find(cookie)).toBeUndefined();
});

it('takes what a browser does by itself for no use', () => {
  const { known, wait } = browsers();
  const cookie = known.redeem(known.offer());
  const signIn = known.find(cookie);
  if (!signIn) throw new Error('It is not known.');
  wait(7 * HOUR);
  expect(known.find(cookie, { isByItself: true })).toBe(signIn);
  expect(known.isSignedIn(signIn)).toBe(true);
  wait(HOUR + 1);
  expect(known.isSignedIn(signIn)).toBe(false);
  expect(known.find(cookie, { isByItself: true })).toBeUndefined();
});

it('ends every sign-in and every login address at once', () => {
  const { known } = browsers();
  const cookie = known.redeem(known.offer());
  const signIn = known.find(cookie);
  const offered = known.offer();
  known.endAll();
  expect(signIn && known.isSignedIn(signIn)).toBe(false);
  expect([known.find(cookie), known.redeem(offered)]).toEqual([undefined, undefined]);
});

it('believes a form of the same sign-in alone', () => {
  const { known } = browsers();
  const [one, other] = [known.find(known.redeem(known.offer())), known.find(known.redeem(known.offer()))];
  if (!one || !other) throw new Error('Nobody is signed in.');
  expect([isFormToken(one.formToken, one), isFormToken(one.formToken, other), isFormToken('', one)]).toEqual([
    true,
    false,
    false,
  ]);
});

it('keeps at most fifty browsers and twenty drafts of each', () => {
  const { known } = browsers();
  const cookies = Array.from({ length: 60 }, () => known.redeem(known.offer()));
  expect(cookies.filter((cookie) => known.find(cookie)).length).toBe(50);
  const drafts = known.find(cookies.at(-1))?.drafts;
  const keys = Array.from({ length: 30 }, (_, at) => drafts?.keep({ name: 'x', text: String(at) }) ?? '');
  expect(keys.filter((key) => drafts?.get(key)).length).toBe(20);
});
