import path from 'node:path';
import { systemGitReader } from '../../src/adapters/git/git-reader.ts';
import { systemClock } from '../../src/adapters/system/primitives.ts';
import { systemProcessWatch } from '../../src/adapters/system/process-watch.ts';
import { systemProcesses } from '../../src/adapters/system/run-process.ts';
import type { ProcessRequest, ProcessRunner } from '../../src/base/processes.ts';
import type { GitLimits } from '../../src/domain/references/sources/git-faults.ts';
import type { GitReader } from '../../src/domain/references/sources/git-reader.ts';
import { parseAllowList } from '../../src/domain/web/allow-list.ts';
import { type HostGuard, hostGuard } from '../../src/domain/web/host-guard.ts';

export interface ReaderSetting {
  readonly limits?: Partial<GitLimits>;
  /** `net.allow`. */
  readonly allow?: readonly string[];
  readonly hosts?: HostGuard;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RealReader {
  readonly reader: GitReader;
  /** Every program that was started, in order. */
  readonly started: readonly ProcessRequest[];
  /** Where repositories lie while they are read. */
  readonly place: string;
}

/** The reader as the product uses it, with real git and a guard that knows loopback only where it is allowed. */
export function realReader(parent: string, setting: ReaderSetting = {}): RealReader {
  const started: ProcessRequest[] = [];
  const processes: ProcessRunner = {
    run(request, signal) {
      started.push(request);
      return systemProcesses.run(request, signal);
    },
  };
  const hosts =
    setting.hosts ??
    hostGuard({ names: { resolve: async () => ['127.0.0.1'] } }, parseAllowList(setting.allow ?? []));
  const place = path.join(parent, 'cache/git');
  const reader = systemGitReader(
    { processes, hosts, processWatch: systemProcessWatch, clock: systemClock },
    {
      limits: { maxFiles: 20_000, maxBytes: 512 * 1024 * 1024, timeoutMs: 60_000, ...setting.limits },
      directory: place,
      workingDirectory: parent,
      environment: { PATH: process.env.PATH, HOME: parent, ...setting.environment },
    },
  );
  return { reader, started, place };
}
