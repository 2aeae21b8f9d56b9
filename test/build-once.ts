import { buildIfStale } from '../scripts/build.mjs';

/** The tests below run the bundle that would be published. */
export async function setup(): Promise<void> {
  await buildIfStale();
}
