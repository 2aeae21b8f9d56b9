import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import net from 'node:net';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate that signs itself, for these names and IP addresses; valid for a day around now, or before that. */
export function selfSigned(names: readonly string[], options: { expired?: boolean } = {}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const day = 24 * 60 * 60 * 1000;
  const end = Date.now() + (options.expired ? -day : day);
  const name = sequence(set(sequence(COMMON_NAME, tagged(0x0c, Buffer.from(names[0] ?? '')))));
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    sequence(ECDSA_WITH_SHA256),
    name,
    sequence(time(end - 2 * day), time(end)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      sequence(
        sequence(BASIC_CONSTRAINTS, tagged(0x04, sequence(tagged(0x01, Buffer.from([255]))))),
        sequence(ALTERNATIVE_NAMES, tagged(0x04, sequence(...names.map(alternativeName)))),
      ),
    ),
  );
  const signature = sign('sha256', body, privateKey);
  const der = sequence(
    body,
    sequence(ECDSA_WITH_SHA256),
    tagged(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const COMMON_NAME = Buffer.from('0603550403', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const ALTERNATIVE_NAMES = Buffer.from('0603551d11', 'hex');
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');

function alternativeName(name: string): Buffer {
  if (net.isIPv4(name)) return tagged(0x87, Buffer.from(name.split('.').map(Number)));
  return tagged(0x82, Buffer.from(name));
}

function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return tagged(0x18, Buffer.from(`${digits}Z`));
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function set(...parts: Buffer[]): Buffer {
  return tagged(0x31, Buffer.concat(parts));
}

/** One DER value: tag, length, content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 255]), content]);
}
