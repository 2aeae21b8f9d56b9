const LONG_SCALE = 10;

/**
 * How much of a heavy test is run: `count` by default, and `long` by `npm run test:long`, ten times as much unless it
 * is given; at least one.
 */
export function scaled(count: number, long = count * LONG_SCALE): number {
  const scale = readScale(process.env.KEN_TEST_SCALE);
  const share = (scale - 1) / (LONG_SCALE - 1);
  return Math.max(1, Math.round(scale < 1 ? count * scale : count + (long - count) * share));
}

function readScale(text = '1'): number {
  const scale = Number(text);
  if (scale > 0 && Number.isFinite(scale)) return scale;
  throw new Error(`KEN_TEST_SCALE is a number above 0, not "${text}".`);
}
