/** One-time login tokens, and the browsers that used one. Everything is kept in memory alone. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IdSource } from '../../base/ids.ts';
import type { Clock } from '../../base/time.ts';
import type { LockHolder } from '../../domain/approvals/lock/approvals-lock.ts';

/** A browser that signed in. */
export interface SignIn {
  /** Goes with every form, so that no other page can send one. */
  readonly formToken: string;
  /** Shown once, on the next page. */
  notice?: Notice | undefined;
  readonly drafts: Drafts;
  /** Made at the first request; ends with the sign-in. */
  lock?: LockHolder;
}

/** Text that was typed and is not saved yet, or was removed a moment ago; a few of them, in memory alone. */
export interface Drafts {
  /** Returns the key by which the draft is found; a draft of the same key is replaced. */
  keep(draft: Draft, key?: string): string;
  get(key: string): Draft | undefined;
}

export interface Draft {
  /** `TOPIC/SUBJECT`; of a new subject as it is typed. */
  readonly name: string;
  readonly text: string;
}

export interface Notice {
  readonly kind: 'done' | 'problem';
  readonly text: string;
  readonly hint?: string | undefined;
  /** A form that takes back what was done, or does what the label says. */
  readonly undo?: {
    readonly path: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly label?: string;
  };
}

export interface SignIns {
  /** Makes a login token, which can be used once within a few minutes. */
  offer(): string;
  isOffered(token: string): boolean;
  /** Uses up a login token. Returns the value of the cookie; undefined for a token that is not valid. */
  redeem(token: string): string | undefined;
  /** Counts as use of the sign-in, unless the browser asks by itself. */
  find(cookie: string | undefined, how?: { readonly isByItself: boolean }): SignIn | undefined;
  /** False once it has ended, by idleness too. */
  isSignedIn(signIn: SignIn): boolean;
  endAll(): void;
}

export const TOKEN_BYTES = 32;
const OFFER_MS = 5 * 60_000;
const IDLE_MS = 8 * 3_600_000;
/** More browsers than a person has; the one that was idle longest is signed out. */
const MOST_SIGN_INS = 50;
const MOST_OFFERS = 20;

export function signIns({ clock, ids }: { readonly clock: Clock; readonly ids: IdSource }): SignIns {
  const offers = new Map<string, number>();
  const known = new Map<string, SignIn & { usedAt: number }>();
  const isIdle = ({ usedAt }: { usedAt: number }) => clock.now() - usedAt > IDLE_MS;
  const isOffered = (token: string) => (offers.get(digest(token)) ?? 0) > clock.now();
  return {
    offer() {
      const token = ids.token(TOKEN_BYTES);
      offers.set(digest(token), clock.now() + OFFER_MS);
      shorten(offers, MOST_OFFERS);
      return token;
    },
    isOffered,
    redeem(token) {
      const isValid = isOffered(token);
      offers.delete(digest(token));
      if (!isValid) return undefined;
      const cookie = ids.token(TOKEN_BYTES);
      const signIn = { formToken: ids.token(TOKEN_BYTES), drafts: keptDrafts(ids) };
      known.set(digest(cookie), { ...signIn, usedAt: clock.now() });
      shorten(known, MOST_SIGN_INS);
      return cookie;
    },
    find(cookie, { isByItself } = { isByItself: false }) {
      const key = digest(cookie ?? '');
      const found = known.get(key);
      if (!found) return undefined;
      if (isIdle(found)) {
        known.delete(key);
        found.lock?.close();
        return undefined;
      }
      if (isByItself) return found;
      found.usedAt = clock.now();
      known.delete(key);
      // Put back at the end: the first one is then the one that was idle longest.
      known.set(key, found);
      return found;
    },
    isSignedIn: (signIn) => [...known.values()].some((each) => each === signIn && !isIdle(each)),
    endAll() {
      for (const { lock } of known.values()) lock?.close();
      known.clear();
      offers.clear();
    },
  };
}

const MOST_DRAFTS = 20;

function keptDrafts(ids: IdSource): Drafts {
  const drafts = new Map<string, Draft>();
  return {
    keep(draft, key = ids.ulid()) {
      drafts.delete(key);
      drafts.set(key, draft);
      shorten(drafts, MOST_DRAFTS);
      return key;
    },
    get: (key) => drafts.get(key),
  };
}

/** Compares in constant time. */
export function isFormToken(given: string, { formToken }: SignIn): boolean {
  return timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(formToken)));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function shorten(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
