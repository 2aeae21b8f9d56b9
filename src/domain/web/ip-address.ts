/** IP addresses as bytes, so that no second spelling can evade a rule. */

/** Four bytes or sixteen. */
export type IpAddress = readonly number[];

/** Accepts plain spellings only: dotted decimal, and every form of RFC 4291. Drops a zone (`%eth0`). */
export function parseIpAddress(text: string): IpAddress | undefined {
  const [bare = '', ...zone] = text.split('%');
  if (zone.length > 1) return undefined;
  return bare.includes(':') ? parseIpv6(bare) : parseIpv4(bare);
}

export function isSameIpAddress(a: IpAddress, b: IpAddress): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  const bytes = parts.map((part) => (/^(0|[1-9]\d{0,2})$/.test(part) ? Number(part) : 256));
  return bytes.every((byte) => byte < 256) ? bytes : undefined;
}

function parseIpv6(text: string): IpAddress | undefined {
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) return undefined;
  const left = parseGroups(head, tail === undefined);
  const right = tail === undefined ? [] : parseGroups(tail, true);
  if (!left || !right) return undefined;
  const missing = 16 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  return [...left, ...Array<number>(missing).fill(0), ...right];
}

/** Bytes of `1:2:3`, whose last group may be an IPv4 address when `isEnd`. */
function parseGroups(text: string, isEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  const bytes: number[] = [];
  for (const [at, group] of groups.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 255);
      continue;
    }
    const embedded = isEnd && at === groups.length - 1 ? parseIpv4(group) : undefined;
    if (!embedded) return undefined;
    bytes.push(...embedded);
  }
  return bytes;
}
