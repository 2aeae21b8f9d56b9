import type { App } from '../app.ts';
import { deferred } from '../base/deferred.ts';
import type { Directories, Workspace } from '../base/places.ts';
import type { Config } from '../config/schema.ts';
import type { LearnRunner } from '../domain/knowledge-base/learn-tool.ts';
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

/** `learn` of a query runs in a sandbox, unless the settings say otherwise. */
export function openLearnRunner(
  { tools }: Config,
  ports: Pick<App, 'components' | 'topicFiles'>,
  workspace: Workspace | undefined,
): LearnRunner {
  return deferred(async () => {
    const { nativeLearnRunner } = await import('../domain/knowledge-base/learn-tool.ts');
    const native = nativeLearnRunner(ports);
    if (tools.builtin_runtime === 'native') return native;
    const { sandboxedLearnRunner } = await import('../domain/knowledge-base/sandboxed-learn.ts');
    const { topicDirectoriesOnDisk } = await import('../adapters/files/subject-files.ts');
    const topicDirectories = topicDirectoriesOnDisk(workspace?.root);
    const timeoutMs = tools.wasm.timeout_s * 1000;
    return sandboxedLearnRunner({ ...ports, topicDirectories }, native, { timeoutMs });
  });
}
