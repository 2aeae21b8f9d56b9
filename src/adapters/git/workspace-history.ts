import type { ProcessResult, ProcessRunner } from '../../base/processes.ts';
import type { Rename, WorkspaceHistory } from '../../domain/ledger/evidence/check-evidence.ts';

const LIMITS = { timeoutMs: 60_000, stdoutBytes: 64 * 1024 * 1024, stderrBytes: 64 * 1024 };

/** Keeps the repository's configuration from running programs. */
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

/** The history of the repository around `root`; empty without git or a repository. */
export function gitHistory(processes: ProcessRunner, root: string, searchPath: string): WorkspaceHistory {
  const environment = {
    PATH: searchPath,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
  };
  const git = async (args: readonly string[], input = ''): Promise<ProcessResult | undefined> => {
    try {
      return await processes.run({
        command: ['git', ...QUIET, ...args],
        directory: root,
        environment,
        input,
        limits: LIMITS,
      });
    } catch {
      // git is not installed.
      return undefined;
    }
  };
  const lines = async (...args: string[]) => {
    const result = await git(args);
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
    async committed(path, fits) {
      const log = ['log', '--format=%H', '-z', '--max-count=50', '--', path];
      for (const commit of await lines(...log)) {
        const result = await git(['cat-file', 'blob', `${commit}:./${path}`]);
        if (result?.exitCode === 0 && fits(result.stdout)) return result.stdout;
      }
      return undefined;
    },
    tracked: (path) => lines('ls-files', '-z', '--cached', '--', path),
    files: () => lines('ls-files', '-z', '--cached', '--others', '--exclude-standard'),
    async commitsWith(texts) {
      const log = ['log', '--all', '-z', '--format=%h %s', '--no-ext-diff', '--no-textconv'];
      if (texts.length === 0) return [];
      const literal = texts.map((text) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')).join('|');
      return (await lines(...log, '--pickaxe-regex', `-S${literal}`)).map((line) => line.trim());
    },
  };
}

/** Parses repeated `R100`, old path, new path; the oldest rename comes first. */
function renamesIn(fields: readonly string[]): Rename[] {
  const renames: Rename[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3)
    renames.push({ from: fields[at + 1] ?? '', to: fields[at + 2] ?? '' });
  return renames;
}
