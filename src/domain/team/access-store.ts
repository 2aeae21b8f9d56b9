import type { Membership, Scope } from './access.ts';

export interface AccessToken {
  readonly id: string;
  readonly person: string;
  readonly scopes: readonly Scope[];
  readonly workspace: string | undefined;
  readonly created: number;
  readonly expires: number;
  readonly revoked: number | undefined;
}

/** A signed-in browser. */
export interface Session {
  readonly id: string;
  readonly person: string;
  /** The workspace that it shows. */
  readonly workspace: string | undefined;
  readonly formToken: string;
  readonly expires: number;
}

export interface NewSession extends Omit<Session, 'id'> {
  readonly hash: string;
}

/** A sign-in that the identity provider has not answered. */
export interface SignInState {
  readonly verifier: string;
  readonly nonce: string;
  readonly expires: number;
}

export interface AuditRecord {
  readonly at: number;
  /** Empty when the person is unknown. */
  readonly person: string;
  readonly channel: string;
  /** Id of the token or session. */
  readonly via: string;
  readonly origin: string;
  readonly workspace: string;
  readonly act: string;
  readonly outcome: 'done' | 'denied' | 'failed';
}

/**
 * Tokens, members and signed-in browsers of one team. Secrets come as hashes alone. Each method is one transaction. Times are in milliseconds
 * since the epoch.
 */
export interface AccessStore {
  putToken(token: AccessToken & { readonly hash: string }): Promise<void>;
  /** Undefined for one that is unknown, revoked or expired at `now`. */
  tokenBy(hash: string, now: number): Promise<AccessToken | undefined>;
  /** Newest first. */
  tokens(): Promise<readonly AccessToken[]>;
  /** False when there is no such token, or it was revoked before. */
  revokeToken(id: string, now: number): Promise<boolean>;

  /** Replaces the scopes of a member. */
  putMember(member: Membership): Promise<void>;
  /** Also ends the person's sessions and tokens that are for this workspace alone. False: no such member. */
  removeMember(workspace: string, person: string, now: number): Promise<boolean>;
  /** Sorted by workspace and person. */
  members(filter: { readonly person?: string; readonly workspace?: string }): Promise<readonly Membership[]>;

  putLogin(login: {
    readonly hash: string;
    readonly person: string;
    readonly expires: number;
  }): Promise<void>;
  /** Begins the session and removes the login. Undefined for a login that is unknown, used or expired. */
  redeemLogin(hash: string, session: Omit<NewSession, 'person'>, now: number): Promise<string | undefined>;
  isLoginOpen(hash: string, now: number): Promise<boolean>;

  putSession(session: NewSession): Promise<void>;
  /** Undefined for one that has ended or expired at `now`. */
  sessionBy(hash: string, now: number): Promise<Session | undefined>;
  chooseWorkspace(hash: string, workspace: string): Promise<void>;
  endSessions(person: string): Promise<void>;

  putSignIn(state: SignInState & { readonly hash: string }): Promise<void>;
  /** Can be used once. Undefined for a sign-in that is unknown, used or expired. */
  takeSignIn(hash: string, now: number): Promise<SignInState | undefined>;

  record(record: AuditRecord): Promise<void>;
  /** Newest first. */
  audit(filter: { readonly limit: number; readonly person?: string }): Promise<readonly AuditRecord[]>;
  /** Deletes what has expired, and audit records older than `keepAuditMs`. */
  sweep(now: number, keepAuditMs: number): Promise<void>;
}
