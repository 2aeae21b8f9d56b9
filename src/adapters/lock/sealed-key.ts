/** An Ed25519 key, sealed with AES-256-GCM by a key that scrypt derives from a passphrase. */

import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  type ScryptOptions,
  scrypt,
  sign,
  verify,
} from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

export interface OpenKey {
  /** SPKI in base64. */
  readonly publicKey: string;
  sign(statement: string): string;
}

/** Numbers are scrypt's; the rest is base64. */
export interface SealedKey extends JsonObject {
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
  readonly nonce: string;
  readonly key: string;
  readonly tag: string;
  readonly public: string;
}

/** 128 MiB and about half a second: what OWASP recommends for scrypt. */
const COST = { n: 2 ** 17, r: 8, p: 1 };
const MOST = { n: 2 ** 20, r: 32, p: 16 };
const CIPHER = 'aes-256-gcm';

export async function makeKey(
  passphrase: string,
  cost: Pick<SealedKey, 'n' | 'r' | 'p'> = COST,
): Promise<{ key: OpenKey; sealed: SealedKey }> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const shown = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const [salt, nonce] = [randomBytes(32), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, await derived(passphrase, salt, cost), nonce);
  cipher.setAAD(Buffer.from(shown));
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
  const key = Buffer.concat([cipher.update(secret), cipher.final()]).toString('base64');
  const parts = { salt: salt.toString('base64'), nonce: nonce.toString('base64'), key };
  const sealed = { ...cost, ...parts, tag: cipher.getAuthTag().toString('base64'), public: shown };
  return { key: { publicKey: shown, sign: signerOf(privateKey) }, sealed };
}

/** Undefined: it is not the passphrase. */
export async function openSealedKey(sealed: SealedKey, passphrase: string): Promise<OpenKey | undefined> {
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const derivedKey = await derived(passphrase, bytes(sealed.salt), sealed);
  try {
    const decipher = createDecipheriv(CIPHER, derivedKey, bytes(sealed.nonce), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(sealed.public));
    decipher.setAuthTag(bytes(sealed.tag));
    const secret = Buffer.concat([decipher.update(bytes(sealed.key)), decipher.final()]);
    const privateKey = createPrivateKey({ key: secret, type: 'pkcs8', format: 'der' });
    const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
    return { publicKey, sign: signerOf(privateKey) };
  } catch {
    return undefined;
  }
}

export function isSealedKey(value: Json | undefined): value is SealedKey {
  if (!isJsonObject(value)) return false;
  const hasTexts = ['salt', 'nonce', 'key', 'tag', 'public'].every((name) => typeof value[name] === 'string');
  return hasTexts && Object.entries(MOST).every(([name, most]) => isCost(value[name], most));
}

function isCost(value: Json | undefined, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= most;
}

function signerOf(privateKey: KeyObject): OpenKey['sign'] {
  return (statement) => sign(null, Buffer.from(statement), privateKey).toString('base64');
}

export function verifies(publicKey: string, statement: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' });
    return verify(null, Buffer.from(statement), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function derived(
  passphrase: string,
  salt: Buffer,
  { n, r, p }: Pick<SealedKey, 'n' | 'r' | 'p'>,
): Promise<Buffer> {
  const options: ScryptOptions = { N: n, r, p, maxmem: 256 * n * r };
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFKC'), salt, 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}
