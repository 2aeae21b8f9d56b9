import { startGuestWorker } from '../adapters/wasm/guest-thread.ts';
import type { ComponentHost } from '../domain/tools/component-host.ts';

/** With `learn` getting ready: it is what is run most. The thread comes first, for it takes longest to start. */
export async function openComponentsAhead(environment: NodeJS.ProcessEnv): Promise<ComponentHost> {
  const spareWorker = startGuestWorker();
  const { wasmComponentHost } = await import('../adapters/wasm/component-host.ts');
  const { userDirectories } = await import('../adapters/system/directories.ts');
  const { USUAL_LIMITS } = await import('./usual-limits.ts');
  const host = wasmComponentHost(
    { cacheDirectory: userDirectories(environment).cache, ...USUAL_LIMITS },
    { spareWorker, isForOneCall: true },
  );
  void host.warm({ builtin: 'learn' });
  return host;
}
