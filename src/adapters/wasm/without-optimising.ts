import { setFlagsFromString } from 'node:v8';

/**
 * The engine optimises code that has run for a while, in the background. A process that is about to end would wait for
 * that and have nothing of it. The flags are the process's, and what the engine keeps of scripts is bound to them: so
 * nothing may be loaded meanwhile, in any thread.
 */
export async function withoutOptimising<Value>(work: () => Promise<Value>): Promise<Value> {
  for (const flag of OPTIMISING) setFlagsFromString(`--no-${flag}`);
  try {
    return await work();
  } finally {
    for (const flag of OPTIMISING) setFlagsFromString(`--${flag}`);
  }
}

const OPTIMISING = ['wasm-dynamic-tiering', 'wasm-tier-up'];
