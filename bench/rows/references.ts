import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Bench } from '../bench.ts';
import { buildRepository } from '../repository.ts';
import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'reference-memory',
    subject:
      'memory of ken ref create, children included: a repository of over 3,000 files, fetched, parsed, embedded',
    unit: 'MiB',
    bar: 600,
    async measure(bench) {
      const url = largeRepository(bench);
      mkdirSync(path.join(bench.home, 'data'), { recursive: true });
      writeFileSync(path.join(bench.home, 'data/authority.toml'), 'approvals.noninteractive = "allow"\n', {
        mode: 0o600,
      });
      const peak = await bench.peakMemory(['ref', 'create', '--title', 'Large', '--git', url]);
      const kept = readFileSync(path.join(bench.home, 'data/references/large/topic.md'), 'utf8');
      const [, count = '0'] = /^file_count = (\d+)$/m.exec(kept) ?? [];
      if (Number(count) > 3000) return peak;
      throw new Error(`only ${count} files were kept`);
    },
  },
];

function largeRepository({ directory }: Bench): string {
  const repository = path.join(directory, 'large');
  mkdirSync(repository);
  buildRepository(repository);
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org', ...words], {
      cwd: repository,
    });
  git('init', '-q', '-b', 'main');
  git('add', '-A', '-f');
  git('commit', '-q', '-m', 'all');
  return `file://${repository}`;
}
