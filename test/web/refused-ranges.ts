import net from 'node:net';

/**
 * Ranges that ken must never connect to, written down a second time for Node's own BlockList, so that the product's table
 * is not checked against itself.
 */
export const REFUSED_RANGES: readonly (readonly [start: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['::', 3],
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['4000::', 2],
  ['8000::', 1],
];

// One list for each family: a single one would find an IPv4 address in the IPv6 range it could be mapped to.
const refused = { ipv4: new net.BlockList(), ipv6: new net.BlockList() };
for (const [start, bits] of REFUSED_RANGES) {
  refused[family(start)].addSubnet(start, bits, family(start));
}

export function isRefused(address: string): boolean {
  return refused[family(address)].check(address, family(address));
}

function family(address: string): 'ipv4' | 'ipv6' {
  return net.isIPv4(address) ? 'ipv4' : 'ipv6';
}

/** The address `offset` places into a range (modulo its size), in dotted or colon form. */
export function addressIn([start, bits]: readonly [string, number], offset: bigint): string {
  const width = net.isIPv4(start) ? 32 : 128;
  const size = 1n << BigInt(width - bits);
  return toText(toNumber(start) + (((offset % size) + size) % size), width);
}

function toNumber(address: string): bigint {
  if (net.isIPv4(address)) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)];
  return all.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}

function toText(value: bigint, width: number): string {
  const [count, step, radix, mark] = width === 32 ? [4, 8n, 10, '.'] : [8, 16n, 16, ':'];
  const parts = Array.from({ length: Number(count) }, (_, at) => {
    const shift = BigInt(Number(count) - 1 - at) * BigInt(step);
    return ((value >> shift) & ((1n << BigInt(step)) - 1n)).toString(Number(radix));
  });
  return parts.join(String(mark));
}
