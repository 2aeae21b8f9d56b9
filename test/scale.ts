/** How much of a heavy test is run: `count` by default, ten times as much by `npm run test:long`; at least one. */
export function scaled(count: number): number {
  return Math.max(1, Math.round(count * readScale(process.env.KEN_TEST_SCALE)));
}

function readScale(text = '1'): number {
  const scale = Number(text);
  if (scale > 0 && Number.isFinite(scale)) return scale;
  throw new Error(`KEN_TEST_SCALE is a number above 0, not "${text}".`);
}
