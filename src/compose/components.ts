import path from 'node:path';
import { topicDirectoriesOnDisk } from '../adapters/files/subject-files.ts';
import { systemClock } from '../adapters/system/clock.ts';
import type { App, OpenRequest } from '../app.ts';
import { deferred } from '../base/deferred.ts';
import type { Directories, Workspace } from '../base/places.ts';
import type { Config } from '../config/schema.ts';
import type { LearnRunner } from '../domain/knowledge-base/learn-tool.ts';
import type { ComponentHost } from '../domain/tools/component-host.ts';
import { hasUsualLimits } from './usual-limits.ts';

export function openComponents(
  { tools }: Config,
  directories: Directories,
  ahead: Promise<ComponentHost> | undefined,
) {
  const settings = {
    cacheDirectory: directories.cache,
    memoryMib: tools.wasm.memory_mib,
    outputBytes: tools.wasm.output_bytes,
  };
  let host = ahead && hasUsualLimits(settings) ? ahead : undefined;
  const unused = host ? undefined : ahead;
  const components = deferred(() => {
    host ??= import('../adapters/wasm/component-host.ts').then(({ wasmComponentHost }) =>
      wasmComponentHost(settings),
    );
    return host;
  });
  const closeComponents = async () => {
    await Promise.all([host, unused].map(async (opened) => (await opened)?.close()));
  };
  return { components, closeComponents };
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
    const topicDirectories = topicDirectoriesOnDisk(workspace?.root);
    const timeoutMs = tools.wasm.timeout_s * 1000;
    return sandboxedLearnRunner({ ...ports, topicDirectories }, native, { timeoutMs });
  });
}

/** What a program that is a tool may know of the operator's environment. */
const PASSED_ON = /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR)$/;

export function openToolSurroundings(
  { environment }: OpenRequest,
  directories: Directories,
  { ids, processes }: Pick<App, 'ids' | 'processes'>,
): Pick<App, 'results' | 'toolAuthor' | 'toolEnvironment'> {
  const passedOn = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && PASSED_ON.test(name) ? [[name, value]] : [],
  );
  const toolEnvironment = Object.fromEntries(passedOn);
  return {
    toolEnvironment,
    toolAuthor: deferred(async () => {
      const { wasmToolAuthor } = await import('../adapters/wasm/tool-author.ts');
      const { CLANG } = environment;
      return wasmToolAuthor({ processes, environment: { ...toolEnvironment, ...(CLANG && { CLANG }) } });
    }),
    results: deferred(async () => {
      const { resultStoreOnDisk } = await import('../adapters/files/result-store.ts');
      return resultStoreOnDisk({ clock: systemClock, ids }, path.join(directories.state, 'results'));
    }),
  };
}
