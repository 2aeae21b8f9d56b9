import path from 'node:path';
import { topicDirectoriesOnDisk } from '../adapters/files/subject-files.ts';
import { systemClock } from '../adapters/system/primitives.ts';
import type { startSpare } from '../adapters/wasm/process/process-pool.ts';
import type { App } from '../app.ts';
import { lazyPort, lazyResource } from '../base/lazy.ts';
import type { SecretStore } from '../domain/tools/components/secrets.ts';
import type { ToolServers } from '../domain/tools/tool-servers.ts';
import type { HttpSender } from '../domain/web/web-client.ts';
import { webLimits } from './outside.ts';
import type { Surroundings } from './part.ts';

/** The process is in an object, since a promise in a promise would be waited for. */
export interface SpareSandbox {
  readonly process: ReturnType<typeof startSpare>;
}

export type ToolPorts = Pick<App, 'components' | 'toolServers' | 'toolAuthor' | 'results' | 'learnRunner'>;

/** `spare` is a sandbox that was started ahead, for a process that runs one tool. */
export function openTools(surroundings: Surroundings, app: App, spare?: SpareSandbox): ToolPorts {
  const { request, directories } = surroundings;
  return {
    components: openComponents(surroundings, app, spare),
    learnRunner: openLearnRunner(surroundings, app),
    toolServers: openToolServers(surroundings, app),
    toolAuthor: lazyPort<App['toolAuthor']>(async () => {
      const { wasmToolAuthor } = await import('../adapters/wasm/author/tool-author.ts');
      return wasmToolAuthor({
        processes: app.processes,
        environment: { ...app.toolEnvironment, ...matching(request.environment, /^(?:CLANG|RUSTC|GO)$/) },
        npmEnvironment: { ...app.toolEnvironment, ...matching(request.environment, OF_NPM) },
        compilers: path.join(directories.cache, 'compilers'),
        installedTools: installedTools(directories),
      });
    }),
    results: lazyPort<App['results']>(async () => {
      const { resultStoreOnDisk } = await import('../adapters/files/result-store.ts');
      return resultStoreOnDisk({ clock: systemClock, ids: app.ids }, path.join(directories.state, 'results'));
    }),
  };
}

/** Variables by which npm reaches its registry. */
const OF_NPM = /^(?:npm_config_.*|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i;

function matching(
  environment: Readonly<Record<string, string | undefined>>,
  names: RegExp,
): Record<string, string> {
  const kept = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && names.test(name) ? [[name, value]] : [],
  );
  return Object.fromEntries(kept);
}

function installedTools({ data }: Surroundings['directories']): string {
  return path.join(data, 'tools');
}

function openComponents(surroundings: Surroundings, app: App, spare?: SpareSandbox) {
  const { directories, onClose } = surroundings;
  const { memory_mib: memoryMib, output_bytes: outputBytes } = app.config.tools.wasm;
  const host = lazyResource(async () => {
    const { wasmComponentHost } = await import('../adapters/wasm/component-host.ts');
    const settings = {
      cacheDirectory: directories.cache,
      installedTools: installedTools(directories),
      memoryMib,
      outputBytes,
      outside: outsideOfTools(surroundings, app),
    };
    return wasmComponentHost(settings, spare?.process);
  });
  onClose('running', async () => (await host.current())?.close());
  return lazyPort<App['components']>(() => host.use());
}

/** Loaded when a tool that may use them is called. */
function outsideOfTools(
  { request: { environment } }: Surroundings,
  { config: { net }, hosts, processes }: App,
) {
  return {
    sender: lazyPort<HttpSender>(async () => {
      const { httpSender } = await import('../adapters/http/http-sender.ts');
      return httpSender({ guard: hosts }, webLimits(net));
    }),
    secrets: lazyPort<SecretStore>(async () => {
      const { systemSecrets } = await import('../adapters/system/secret-store.ts');
      return systemSecrets({ processes, environment });
    }),
  };
}

function openLearnRunner({ workspace }: Surroundings, app: App): App['learnRunner'] {
  return lazyPort(async () => {
    const { nativeLearnRunner } = await import('../domain/knowledge-base/learn/learn-tool.ts');
    const native = nativeLearnRunner(app);
    const { builtin_runtime: runtime, wasm } = app.config.tools;
    if (runtime === 'native') return native;
    const { sandboxedLearnRunner } = await import('../domain/knowledge-base/learn/sandboxed-learn.ts');
    const topicDirectories = topicDirectoriesOnDisk(workspace?.root, app.topicFiles);
    return sandboxedLearnRunner({ ...app, topicDirectories }, native, { timeoutMs: wasm.timeout_s * 1000 });
  });
}

function openToolServers({ request, workspace, onClose }: Surroundings, app: App): App['toolServers'] {
  const { providers, net } = app.config;
  const opened = lazyResource<ToolServers>(async () => {
    const { mcpToolServers } = await import('../adapters/mcp-client/tool-servers.ts');
    const { systemStarter } = await import('../adapters/system/start-process.ts');
    const { serverNamed } = await import('../domain/tools/server-settings.ts');
    const { guardedFetch } = await import('../adapters/http/guarded-fetch.ts');
    return mcpToolServers(
      {
        starter: systemStarter,
        fetch: guardedFetch({ guard: app.hosts }, { maxBytes: net.max_bytes }),
        directory: workspace?.root ?? '/',
        environment: app.toolEnvironment,
      },
      (name) => {
        const leftOut = app.settings.omissions.map(({ path }) => path);
        return serverNamed(providers.mcp, name, request.environment, leftOut);
      },
    );
  });
  onClose('running', async () => (await opened.current())?.close());
  return lazyPort<ToolServers>(() => opened.use());
}
