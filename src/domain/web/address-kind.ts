import { type IpAddress, parseIpAddress } from './ip-address.ts';

export type AddressKind =
  | 'benchmarking'
  | 'broadcast'
  | 'cloud metadata'
  | 'documentation'
  | 'link-local'
  | 'loopback'
  | 'multicast'
  | 'private'
  | 'reserved'
  | 'shared (CGNAT)'
  | 'unique local'
  | 'unspecified';

/** Undefined for an address on the public internet. */
export function addressKind(address: IpAddress): AddressKind | undefined {
  const metadata = METADATA.some((range) => isInside(address, range));
  if (metadata) return 'cloud metadata';
  const embedding = EMBEDDINGS.find(({ range }) => isInside(address, range));
  if (embedding) {
    return addressKind(address.slice(embedding.at, embedding.at + 4)) ?? embedding.otherwise;
  }
  if (isIsatap(address)) return addressKind(address.slice(12)) ?? 'reserved';
  const special = SPECIAL.find(({ range }) => isInside(address, range));
  if (special) return special.kind;
  return address.length === 4 || isInside(address, GLOBAL_UNICAST) ? undefined : 'reserved';
}

interface Range {
  readonly start: IpAddress;
  readonly bits: number;
}

function range(text: string): Range {
  const [start = '', bits = ''] = text.split('/');
  const address = parseIpAddress(start);
  if (!address) throw new TypeError(`not a range: ${text}`);
  return { start: address, bits: Number(bits) };
}

function isInside(address: IpAddress, { start, bits }: Range): boolean {
  if (address.length !== start.length) return false;
  for (let at = 0; at * 8 < bits; at++) {
    const mask = bits - at * 8 >= 8 ? 255 : (0xff00 >> (bits - at * 8)) & 255;
    if ((((address[at] ?? 0) ^ (start[at] ?? 0)) & mask) !== 0) return false;
  }
  return true;
}

/** Interface identifiers of RFC 5214, under any prefix, tunnel to the IPv4 address they end in. */
function isIsatap(address: IpAddress): boolean {
  if (address.length !== 16) return false;
  const [first = 0, second, third, fourth] = address.slice(8, 12);
  return (first & 0xfd) === 0 && second === 0 && third === 0x5e && fourth === 0xfe;
}

const GLOBAL_UNICAST = range('2000::/3');

/** Cloud services answer there with credentials. Most lie inside other ranges; 168.63.129.16 does not. */
const METADATA = [
  '169.254.169.254/32',
  '169.254.169.253/32',
  '169.254.169.123/32',
  '169.254.170.2/32',
  '169.254.170.23/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
].map(range);

/** IPv6 addresses that stand for an IPv4 address: judged by that one, and by `otherwise` when that one is public. */
const EMBEDDINGS: readonly { range: Range; at: number; otherwise: AddressKind | undefined }[] = [
  { range: range('::ffff:0:0/96'), at: 12, otherwise: undefined },
  { range: range('64:ff9b::/96'), at: 12, otherwise: undefined },
  { range: range('::ffff:0:0:0/96'), at: 12, otherwise: 'reserved' },
  { range: range('2002::/16'), at: 2, otherwise: 'reserved' },
];

/** The IANA special-purpose registries, IPv4 and IPv6; the first matching row wins. */
const SPECIAL = Object.entries({
  '0.0.0.0/8': 'unspecified',
  '10.0.0.0/8': 'private',
  '100.64.0.0/10': 'shared (CGNAT)',
  '127.0.0.0/8': 'loopback',
  '169.254.0.0/16': 'link-local',
  '172.16.0.0/12': 'private',
  '192.0.0.0/24': 'reserved',
  '192.0.2.0/24': 'documentation',
  '192.88.99.0/24': 'reserved',
  '192.168.0.0/16': 'private',
  '198.18.0.0/15': 'benchmarking',
  '198.51.100.0/24': 'documentation',
  '203.0.113.0/24': 'documentation',
  '224.0.0.0/4': 'multicast',
  '255.255.255.255/32': 'broadcast',
  '240.0.0.0/4': 'reserved',
  '::/128': 'unspecified',
  '::1/128': 'loopback',
  '2001:2::/48': 'benchmarking',
  '2001:db8::/32': 'documentation',
  '2001::/23': 'reserved',
  '3fff::/20': 'documentation',
  'fc00::/7': 'unique local',
  'fe80::/10': 'link-local',
  'fec0::/10': 'private',
  'ff00::/8': 'multicast',
} satisfies Record<string, AddressKind>).map(([text, kind]) => ({ range: range(text), kind }));
