import type { ProcessRunner } from '../../base/processes.ts';

export interface GithubCli {
  /** The sizes of a commit's blobs by object id; undefined when gh cannot list them. */
  sizes(
    repository: string,
    commit: string,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number> | undefined>;
  /** Git settings with the operator's credentials; empty without a login. */
  settings(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
}

const MIB = 1024 * 1024;

export function githubCli(
  processes: ProcessRunner,
  environment: Readonly<Record<string, string>>,
): GithubCli {
  const gh = async (args: readonly string[], signal: AbortSignal): Promise<string | undefined> => {
    try {
      const result = await processes.run(
        {
          command: ['gh', ...args],
          directory: '/',
          environment: { ...environment, GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1' },
          limits: { timeoutMs: 15_000, stdoutBytes: 64 * MIB, stderrBytes: 64 * 1024, overflow: 'stop' },
        },
        signal,
      );
      return result.exitCode === 0 && !result.truncated ? result.stdout : undefined;
    } catch {
      // gh is not installed.
      return undefined;
    }
  };
  return {
    async sizes(repository, commit, signal) {
      const path = `repos/${repository}/git/trees/${commit}?recursive=1`;
      const listed = await gh(
        [
          'api',
          path,
          '--jq',
          'if .truncated then "truncated" else .tree[] | select(.type == "blob") | "\\(.sha) \\(.size)" end',
        ],
        signal,
      );
      return listed === undefined ? undefined : parseSizes(listed);
    },
    async settings(signal) {
      const token = (await gh(['auth', 'token', '--hostname', 'github.com'], signal))?.trim();
      if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) return {};
      const credentials = Buffer.from(`x-access-token:${token}`).toString('base64');
      return { 'http.https://github.com/.extraHeader': `Authorization: Basic ${credentials}` };
    },
  };
}

/** Undefined for a list that GitHub has truncated. */
function parseSizes(listed: string): ReadonlyMap<string, number> | undefined {
  const sizes = new Map<string, number>();
  for (const line of listed.split('\n').filter((each) => each !== '')) {
    const [, oid = '', size] = /^([0-9a-f]{40,64}) (\d+)$/.exec(line) ?? [];
    if (size === undefined) return undefined;
    sizes.set(oid, Number(size));
  }
  return sizes;
}
