/** Records with strace what a command changes in files, and when it makes that durable. Needs Linux. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Call {
  readonly name: string;
  /** As strace writes them, split at the commas between them. */
  readonly words: readonly string[];
  readonly result: number;
  /** The path of the file that was opened. */
  readonly opened: string;
}

export interface Recording {
  readonly calls: readonly Call[];
  readonly code: number | null;
  readonly stderr: string;
}

const CALLS = [
  'openat,open,creat,close,write,pwrite64,writev,pwritev,pwritev2,copy_file_range,sendfile,ftruncate,truncate',
  'fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,clone,clone3',
].join(',');

/** Why nothing can be recorded here. */
export function recordingProblem(): string | undefined {
  const { status, error } = spawnSync('strace', ['-qq', '-e', 'trace=none', 'true']);
  if (error) return 'strace is not installed';
  return status === 0 ? undefined : 'strace may not look at processes here';
}

export function recordCalls(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Recording {
  const directory = mkdtempSync(path.join(tmpdir(), 'ken-strace-'));
  const words = [
    '-ff',
    '--seccomp-bpf',
    '-qq',
    '-y',
    '-xx',
    '-s',
    '100000000',
    '-ttt',
    '-T',
    '-e',
    `trace=${CALLS}`,
  ];
  const { status, stderr } = spawnSync('strace', [...words, '-o', path.join(directory, 't'), ...command], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const threads = new Map(
    readdirSync(directory).map((file) => [
      Number(file.split('.').at(-1)),
      readFileSync(path.join(directory, file), 'latin1').split('\n').flatMap(timedCall),
    ]),
  );
  rmSync(directory, { recursive: true });
  const main = Math.min(...threads.keys());
  const own = threadsOf(threads, main);
  const calls = own.flatMap((thread) => threads.get(thread) ?? []).sort((a, b) => a.ended - b.ended);
  return { calls, code: status, stderr: String(stderr) };
}

interface TimedCall extends Call {
  readonly ended: number;
}

const LINE = /^(\d+\.\d+) (\w+)\((.*)\)\s+= (-?\d+)(<[^>]*>)?.* <(\d+\.\d+)>$/;

/** Calls that failed changed nothing. */
function timedCall(line: string): TimedCall[] {
  const [, started = '', name = '', given = '', result = '', opened = '', took = ''] = LINE.exec(line) ?? [];
  if (name === '' || Number(result) < 0) return [];
  return [
    {
      name,
      words: given.split(', '),
      result: Number(result),
      opened: pathIn(opened),
      ended: Number(started) + Number(took),
    },
  ];
}

/** Without child processes, whose numbers of files are their own. */
function threadsOf(threads: ReadonlyMap<number, readonly Call[]>, thread: number): number[] {
  const started = (threads.get(thread) ?? []).filter(
    ({ name, words }) => name.startsWith('clone') && words.join().includes('CLONE_THREAD'),
  );
  return [thread, ...started.flatMap(({ result }) => threadsOf(threads, result))];
}

/** The bytes of a text in a word; strace writes each as `\x41`. */
export function bytesIn(word = ''): Buffer {
  const [, quoted = ''] = /"([^"]*)"/.exec(word) ?? [];
  return Buffer.from(quoted.replaceAll('\\x', ''), 'hex');
}

/** The number of a file in a word such as `21</a/file>`. */
export function descriptorIn(word = ''): number {
  return Number.parseInt(word, 10);
}

/** The path in a word such as `21</a/file>`. */
export function pathIn(word = ''): string {
  const [, shown = ''] = /<(.*?)>/.exec(word) ?? [];
  return shown.includes('\\x') ? Buffer.from(shown.replaceAll('\\x', ''), 'hex').toString() : shown;
}
