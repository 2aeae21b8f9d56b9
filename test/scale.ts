/** How much of a heavy test is run: 1 by default, 10 by `npm run test:long`. */
export const SCALE = readScale(process.env.KEN_TEST_SCALE);

function readScale(text = '1'): number {
  const scale = Number(text);
  if (scale > 0 && Number.isFinite(scale)) return scale;
  throw new Error(`KEN_TEST_SCALE is a number above 0, not "${text}".`);
}

/** `count` at scale 1, and in proportion at others; at least one. */
export function scaled(count: number): number {
  return Math.max(1, Math.round(count * SCALE));
}
