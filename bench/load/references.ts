import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Bench } from '../bench.ts';
import { identifier, numbers, words } from '../synthetic-chunks.ts';
import type { LoadArea } from './area.ts';

const CHUNKS_A_FILE = 10;
/** Enough that no two sections become one chunk. */
const WORDS_A_SECTION = 150;
const AUTHOR = 'bench <bench@example.org>';

const repositoryOf = ({ directory }: Bench) => path.join(directory, 'repository');

export const references: LoadArea = {
  name: 'references',
  unit: 'chunks of one topic',
  sizes: [5000, 50_000, 500_000],
  fill(bench, size) {
    commitFiles(bench, size / CHUNKS_A_FILE);
    mkdirSync(path.join(bench.home, 'data'), { recursive: true });
    mkdirSync(path.join(bench.home, 'config'), { recursive: true });
    writeFileSync(path.join(bench.home, 'data/authority.toml'), 'approvals.noninteractive = "allow"\n', {
      mode: 0o600,
    });
    writeFileSync(
      path.join(bench.home, 'config/config.toml'),
      '[references]\nmax_files = 100000\nmax_bytes = 2000000000\n',
    );
  },
  steps: [
    {
      name: 'ref create',
      words: (bench) => ['ref', 'create', '--title', 'Large', '--git', `file://${repositoryOf(bench)}`],
    },
    { name: 'ref search', words: ['ref', 'search', 'kettle'], codes: [0, 1] },
    { name: 'ref refresh, unchanged', words: ['ref', 'refresh', 'topic-large'] },
    {
      name: 'ref refresh, one file',
      words: ['ref', 'refresh', 'topic-large'],
      before: (bench) => fastImport(bench, (write) => writeFile(write, 0, 4711)),
    },
    { name: 'doctor', words: ['doctor'], codes: [0, 6] },
  ],
};

function commitFiles(bench: Bench, count: number): void {
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', repositoryOf(bench)]);
  fastImport(bench, (write) => {
    for (let file = 0; file < count; file++) writeFile(write, file, file);
  });
}

/** One commit, made without a working tree. */
function fastImport(bench: Bench, writeFiles: (write: (text: string) => void) => void): void {
  const stream = path.join(bench.directory, 'stream');
  const file = openSync(stream, 'w');
  const message = 'commit';
  const isFirst =
    spawnSync('git', ['rev-parse', '--verify', '-q', 'main'], { cwd: repositoryOf(bench) }).status !== 0;
  writeSync(file, `commit refs/heads/main\ncommitter ${AUTHOR} 1760000000 +0000\n${data(message)}`);
  if (!isFirst) writeSync(file, 'from refs/heads/main^0\n');
  writeFiles((text) => writeSync(file, text));
  closeSync(file);
  execFileSync('bash', ['-c', `git fast-import --quiet < '${stream}'`], { cwd: repositoryOf(bench) });
}

function writeFile(write: (text: string) => void, file: number, seed: number): void {
  const random = numbers(seed + 1);
  const sections = Array.from(
    { length: CHUNKS_A_FILE },
    () => `## ${identifier(random)}\n\n${words(random, WORDS_A_SECTION)}\n`,
  );
  write(`M 100644 inline docs/${file % 100}/page-${file}.md\n${data(sections.join('\n'))}`);
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
