import type { ProcessResult, ProcessRunner } from '../../base/processes.ts';
import type { Rename, WorkspaceHistory } from '../../domain/ledger/evidence/check-evidence.ts';

const LIMITS = { timeoutMs: 60_000, stdoutBytes: 64 * 1024 * 1024, stderrBytes: 64 * 1024 };

/** No configuration of the repository's runs a program, and nothing is fetched. */
const QUIET = [
  '--no-optional-locks',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'diff.external=',
  '-c',
  'log.showSignature=false',
];

/** The repository around `root`, asked through git. Without git or a repository nothing is known. */
export function gitHistory(processes: ProcessRunner, root: string, searchPath: string): WorkspaceHistory {
  const environment = {
    PATH: searchPath,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
  };
  const git = async (words: readonly string[], input = ''): Promise<ProcessResult | undefined> => {
    try {
      return await processes.run({
        command: ['git', ...QUIET, ...words],
        directory: root,
        environment,
        input,
        limits: LIMITS,
      });
    } catch {
      // There is no git here.
      return undefined;
    }
  };
  const lines = async (...words: string[]) => {
    const result = await git(words);
    return result?.exitCode === 0 ? result.stdout.split('\0').filter((each) => each !== '') : [];
  };
  return {
    async commitsAmong(asked) {
      const input = asked.map((commit) => `${commit}^{commit}\n`).join('');
      const result = await git(['cat-file', '--batch-check=%(objecttype)'], input);
      if (result?.exitCode !== 0) return undefined;
      const types = result.stdout.split('\n');
      return new Set(asked.filter((_, at) => types[at] === 'commit'));
    },
    async renames() {
      const log = [
        'log',
        '--all',
        '--reverse',
        '--topo-order',
        '--format=',
        '--no-ext-diff',
        '--no-textconv',
        '--relative',
      ];
      return renamesIn(await lines(...log, '-M', '--diff-filter=R', '--name-status', '-z'));
    },
    files: () => lines('ls-files', '-z', '--cached', '--others', '--exclude-standard'),
  };
}

/** `R100`, old, new, over and over, oldest first. */
function renamesIn(words: readonly string[]): Rename[] {
  const renames: Rename[] = [];
  for (let at = 0; at + 2 < words.length; at += 3)
    renames.push({ from: words[at + 1] ?? '', to: words[at + 2] ?? '' });
  return renames;
}
