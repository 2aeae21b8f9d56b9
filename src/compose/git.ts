import path from 'node:path';
import { systemClock } from '../adapters/system/clock.ts';
import type { App, OpenRequest } from '../app.ts';
import { deferred } from '../base/deferred.ts';
import type { Directories } from '../base/places.ts';
import type { Config } from '../config/schema.ts';

export function openGit(
  { directory, environment }: OpenRequest,
  directories: Directories,
  ports: Pick<App, 'processes' | 'hosts' | 'processWatch'> & { readonly config: Config },
): Pick<App, 'gitReader'> {
  const { max_files: maxFiles, max_bytes: maxBytes, timeout_s } = ports.config.references;
  const gitReader = deferred(async () => {
    const { systemGitReader } = await import('../adapters/git/git-reader.ts');
    return systemGitReader(
      { ...ports, clock: systemClock },
      {
        limits: { maxFiles, maxBytes, timeoutMs: timeout_s * 1000 },
        directory: path.join(directories.cache, 'git'),
        workingDirectory: directory,
        environment,
      },
    );
  });
  return { gitReader };
}
