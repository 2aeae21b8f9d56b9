import type { App, OpenRequest } from '../app.ts';
import { deferred } from '../base/deferred.ts';
import type { Workspace } from '../base/places.ts';
import type { Config } from '../config/schema.ts';
import type { ToolServers } from '../domain/tools/tool-servers.ts';

export function openToolServers(
  { environment }: OpenRequest,
  { providers: { mcp }, net }: Config,
  workspace: Workspace | undefined,
  ports: Pick<App, 'hosts' | 'toolEnvironment'>,
) {
  let opened: Promise<ToolServers> | undefined;
  const open = async () => {
    const { mcpToolServers } = await import('../adapters/mcp-client/tool-servers.ts');
    const { systemStarter } = await import('../adapters/system/start-process.ts');
    const { serverNamed } = await import('../domain/tools/server-settings.ts');
    const { guardedFetch } = await import('../adapters/http/guarded-fetch.ts');
    return mcpToolServers(
      {
        starter: systemStarter,
        fetch: guardedFetch({ guard: ports.hosts }, { maxBytes: net.max_bytes }),
        directory: workspace?.root ?? '/',
        environment: ports.toolEnvironment,
      },
      (name) => serverNamed(mcp, name, environment),
    );
  };
  const toolServers = deferred(() => {
    opened ??= open();
    return opened;
  });
  return { toolServers, closeToolServers: async () => (await opened)?.close() };
}
