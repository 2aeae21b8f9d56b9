/** Orders terms by their UTF-8 bytes, as databases do. */

export function sortByTerm(numbers: number[], terms: readonly string[]): number[] {
  const heads = new Float64Array(terms.length);
  for (const number of numbers) heads[number] = headOf(terms[number] as string);
  return numbers.sort(
    (a, b) =>
      (heads[a] as number) - (heads[b] as number) || compareTerms(terms[a] as string, terms[b] as string),
  );
}

/** The first six bytes as one number, which settles most comparisons. */
function headOf(term: string): number {
  let head = 0;
  for (let at = 0; at < HEAD_BYTES; at++) {
    const unit = at < term.length ? term.charCodeAt(at) : 0;
    if (unit >= 0x80) return headOfKey(termKey(term));
    head = head * 0x100 + unit;
  }
  return head;
}

function headOfKey(key: Uint8Array): number {
  let head = 0;
  for (let at = 0; at < HEAD_BYTES; at++) head = head * 0x100 + (key[at] ?? 0);
  return head;
}

const HEAD_BYTES = 6;

function compareTerms(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return codePointOrder(left) - codePointOrder(right);
  }
  return a.length - b.length;
}

/** Surrogates encode characters above the basic plane, so they come last. */
function codePointOrder(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function termKey(term: string): Uint8Array {
  return encoder.encode(term);
}

export function termFromKey(key: Uint8Array): string {
  return decoder.decode(key);
}

export function compareKeys(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
