/** An identity provider on loopback: signs tokens, and signs people in by authorization code and PKCE. */

import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { serve } from '../web/servers.ts';

export async function identityProvider(clientId: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const other = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  /** By code. */
  const begun = new Map<string, URLSearchParams>();
  let issuer = '';
  let person = 'ada';
  let changes: JWTPayload = {};
  const sign = (payload: JWTPayload, key = privateKey) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(key);
  const claims = (more: JWTPayload): JWTPayload => {
    const now = Math.floor(Date.now() / 1000);
    return { iss: issuer, sub: person, iat: now, exp: now + 600, ...more };
  };
  const server = await serve(async (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    const json = (body: object, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (url.pathname === '/.well-known/openid-configuration')
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      });
    if (url.pathname === '/keys') return json({ keys: [jwk] });
    if (url.pathname === '/authorize') {
      const code = `code-${begun.size}`;
      begun.set(code, url.searchParams);
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({
        code,
        state: url.searchParams.get('state') ?? '',
        iss: issuer,
      }).toString();
      response.writeHead(302, { location: back.href });
      return response.end();
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const asked = begun.get(form.get('code') ?? '');
    begun.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (asked?.get('code_challenge') !== challenge || asked.get('client_id') !== form.get('client_id'))
      return json({ error: 'invalid_grant' }, 400);
    return json({ id_token: await sign(claims({ aud: clientId, nonce: asked.get('nonce'), ...changes })) });
  });
  issuer = `http://127.0.0.1:${server.port}`;
  return {
    issuer,
    isCalled(name: string) {
      person = name;
    },
    /** Puts these claims into the answers to sign-ins. */
    answersWith(claims: JWTPayload) {
      changes = claims;
    },
    accessToken: (more: JWTPayload) => sign(claims(more)),
    /** With these claims alone. */
    signed: (all: JWTPayload) => sign(all),
    forgedToken: (more: JWTPayload) => sign(claims(more), other.privateKey),
  };
}
