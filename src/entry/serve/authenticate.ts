/** Says who a request comes from: by a token of ken's own or of the identity provider, or by a session. */

import { createHash } from 'node:crypto';
import { type AuthInfo, OAuthError, OAuthErrorCode, verifyBearerToken } from '@modelcontextprotocol/server';
import { Fault } from '../../base/fault.ts';
import { isTokenScope, type Principal, rightsOf, SCOPES, type Scope } from '../../domain/team/access.ts';
import { METADATA_PATH, resourceOf, type Serving } from './serving.ts';

export const TOKEN_PREFIX = 'ken_';
const TOKEN_BYTES = 32;

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function newToken(ids: { token(bytes: number): string }): string {
  return `${TOKEN_PREFIX}${ids.token(TOKEN_BYTES)}`;
}

type Authenticating = Pick<Serving, 'team' | 'app' | 'provider' | 'publicUrl'>;

/** Throws the SDK's error for an absent or bad token; it becomes a 401 with the address of the metadata. */
export async function bearerPrincipal(
  serving: Authenticating,
  header: string | undefined,
): Promise<Principal> {
  const known = new Map<string, Principal>();
  const verifyAccessToken = async (token: string): Promise<AuthInfo> => {
    const found = token.startsWith(TOKEN_PREFIX) ? await own(serving, token) : await provided(serving, token);
    if (!found) throw new OAuthError(OAuthErrorCode.InvalidToken, 'The token is not valid here.');
    known.set(token, found.principal);
    const { principal, expires } = found;
    return {
      token,
      clientId: principal.id,
      scopes: [...(principal.scopes ?? [])],
      expiresAt: expires,
      resource: resourceOf(serving),
    };
  };
  const { token } = await verifyBearerToken(header, {
    verifier: { verifyAccessToken },
    expectedResource: resourceOf(serving),
  });
  const principal = known.get(token);
  if (!principal) throw new OAuthError(OAuthErrorCode.InvalidToken, 'The token is not valid here.');
  return principal;
}

interface Verified {
  readonly principal: Principal;
  /** Seconds since the epoch. */
  readonly expires: number;
}

async function own({ team, app }: Authenticating, token: string): Promise<Verified | undefined> {
  const found = await team.access.tokenBy(hashOf(token), app.clock.now());
  if (!found) return undefined;
  const { person, id, scopes, workspace, expires } = found;
  return {
    principal: { person, channel: 'token', workspace, scopes, id },
    expires: Math.ceil(expires / 1000),
  };
}

async function provided(
  { provider, publicUrl }: Authenticating,
  token: string,
): Promise<Verified | undefined> {
  if (!provider) return undefined;
  try {
    const found = await provider.checkAccessToken(token, resourceOf({ publicUrl }).href);
    const scopes = SCOPES.filter((scope) => isTokenScope(scope) && found.scopes.includes(scope));
    const id = hashOf(token).slice(0, 12);
    const { person, expires } = found;
    return { principal: { person, channel: 'provider', workspace: undefined, scopes, id }, expires };
  } catch (error) {
    if (error instanceof Fault && error.code !== 'team/unavailable') return undefined;
    throw error;
  }
}

export function metadataUrl({ publicUrl }: Pick<Serving, 'publicUrl'>): string {
  return new URL(METADATA_PATH, publicUrl).href;
}

export interface Entered {
  readonly workspace: string;
  readonly scopes: readonly Scope[];
}

/**
 * The workspace that is asked for, or the only one of the person. Undefined without a right to read it; the answer is the
 * same for a workspace that does not exist.
 */
export async function enteredWorkspace(
  { team }: Pick<Serving, 'team'>,
  principal: Principal,
  asked: string | undefined,
): Promise<Entered | undefined> {
  const wanted = asked ?? principal.workspace;
  const memberships = await team.access.members({ person: principal.person });
  const found =
    wanted === undefined && memberships.length === 1
      ? memberships[0]
      : memberships.find(({ workspace }) => workspace === wanted);
  if (!found) return undefined;
  const scopes = rightsOf(principal, found);
  return scopes.includes('read') ? { workspace: found.workspace, scopes } : undefined;
}
