import { deferred } from '../base/deferred.ts';
import type { Directories } from '../base/places.ts';
import type { Config } from '../config/schema.ts';
import type { ComponentHost } from '../domain/tools/component-host.ts';

export function openComponents({ tools }: Config, directories: Directories) {
  let host: Promise<ComponentHost> | undefined;
  const load = async () => {
    const { wasmComponentHost } = await import('../adapters/wasm/component-host.ts');
    return wasmComponentHost({
      cacheDirectory: directories.cache,
      memoryMib: tools.wasm.memory_mib,
      outputBytes: tools.wasm.output_bytes,
    });
  };
  const components = deferred(() => {
    host ??= load();
    return host;
  });
  return { components, closeComponents: async () => (await host)?.close() };
}
