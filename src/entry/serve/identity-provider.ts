/** The company's identity provider: checks its tokens, and signs people in by authorization code and PKCE. */

import { createHash } from 'node:crypto';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { Fault } from '../../base/fault.ts';
import type { IdSource } from '../../base/ids.ts';
import { personName } from '../../domain/team/access.ts';

export interface ProviderSettings {
  readonly issuer: string;
  /** The client id of this server, for people in a browser. */
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  /** The claim that names the person. */
  readonly claim: string;
}

export interface IdentityProvider {
  readonly issuer: string;
  readonly metadata: ProviderMetadata;
  readonly hasLogin: boolean;
  /** Returns the person and scopes of an access token for `audience`. Throws a Fault for any other text. */
  checkAccessToken(token: string, audience: string): Promise<ProvidedToken>;
  /** Returns the address where a browser signs in; the answer is bound to `verifier` and `nonce`. */
  signInAddress(request: SignInRequest): string;
  /** Returns the person for whom the provider issued `code`. */
  redeemCode(code: string, request: SignInRequest): Promise<string>;
}

export interface ProvidedToken {
  readonly person: string;
  readonly scopes: readonly string[];
  /** Seconds since the epoch. */
  readonly expires: number;
}

export interface SignInRequest {
  readonly redirect: string;
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

export interface ProviderMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
}

/** Signature algorithms without a shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const TIMEOUT_MS = 10_000;
const LEEWAY_S = 30;

export async function openProvider(settings: ProviderSettings): Promise<IdentityProvider> {
  const { issuer, clientId, claim } = settings;
  requireHttps(issuer);
  const metadata = await discover(issuer);
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), { timeoutDuration: TIMEOUT_MS });
  const verify = async (token: string, audience: string): Promise<JWTPayload> => {
    const options = {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: LEEWAY_S,
      requiredClaims: ['exp'],
    };
    try {
      return (await jwtVerify(token, keys, options)).payload;
    } catch (cause) {
      throw new Fault('team/denied', 'The identity provider did not issue this for ken.', { cause });
    }
  };
  return {
    issuer,
    metadata,
    hasLogin: clientId !== undefined,
    async checkAccessToken(token, audience) {
      const payload = await verify(token, audience);
      return { person: personIn(payload, claim), scopes: scopesIn(payload), expires: Number(payload.exp) };
    },
    signInAddress({ redirect, state, verifier, nonce }) {
      const url = new URL(metadata.authorization_endpoint);
      const parameters = {
        response_type: 'code',
        client_id: clientId ?? '',
        redirect_uri: redirect,
        scope: 'openid profile email',
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },
    async redeemCode(code, request) {
      const token = await exchange(settings, metadata, code, request);
      const payload = await verify(token, clientId ?? '');
      if (payload.nonce !== request.nonce)
        throw new Fault('team/denied', 'This is not the sign-in that was started here.');
      return personIn(payload, claim);
    },
  };
}

async function exchange(
  { clientId = '', clientSecret }: ProviderSettings,
  metadata: ProviderMetadata,
  code: string,
  { redirect, verifier }: SignInRequest,
): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    client_id: clientId,
    code_verifier: verifier,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  });
  const answer = await asked(metadata.token_endpoint, { method: 'POST', body });
  const token = Object(answer ?? {}).id_token;
  if (typeof token === 'string') return token;
  throw new Fault('team/denied', 'The identity provider gave no token for this sign-in.');
}

export function newSignIn(ids: IdSource): Pick<SignInRequest, 'state' | 'verifier' | 'nonce'> {
  return { state: ids.token(32), verifier: ids.token(32), nonce: ids.token(16) };
}

async function discover(issuer: string): Promise<ProviderMetadata> {
  const found = Object(await asked(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`));
  const { authorization_endpoint, token_endpoint, jwks_uri } = found;
  const addresses = [authorization_endpoint, token_endpoint, jwks_uri];
  if (found.issuer !== issuer || !addresses.every((each) => typeof each === 'string'))
    throw new Fault('team/unavailable', `${issuer} does not describe itself as an identity provider.`, {
      hint: 'Compare serve.issuer with the "issuer" in its openid-configuration.',
    });
  for (const each of addresses) requireHttps(each);
  return { issuer, authorization_endpoint, token_endpoint, jwks_uri };
}

/** Undefined when it refuses what was sent (RFC 6749, 5.2). Follows no redirect, so that only the provider's own addresses are used. */
async function asked(url: string, init: RequestInit = {}): Promise<unknown> {
  try {
    const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (init.method === 'POST' && answer.status === 400) return undefined;
    if (!answer.ok) throw new Error(`It answered ${answer.status}.`);
    return await answer.json();
  } catch (cause) {
    throw new Fault('team/unavailable', `The identity provider at ${new URL(url).host} does not answer.`, {
      cause,
    });
  }
}

function requireHttps(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isHere = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost';
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere)) return;
  throw new Fault('config/bad-value', `"${address}" of the identity provider has to begin with https://.`);
}

function personIn(payload: JWTPayload, claim: string): string {
  const name = payload[claim];
  if (typeof name !== 'string') throw new Fault('team/denied', `The token has no "${claim}".`);
  return personName(name);
}

function scopesIn({ scope, scp }: JWTPayload): string[] {
  if (Array.isArray(scp)) return scp.map(String);
  return String(scope ?? scp ?? '')
    .split(' ')
    .filter((each) => each !== '');
}
