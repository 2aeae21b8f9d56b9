import {
  type FixtureFile,
  itReadsRepositories,
  type RepositoryFixture,
} from '../../src/domain/references/sources/git-reader.contract.ts';
import { type MemoryGitFile, memoryGitReader } from './git-reader.ts';

const url = 'https://git.example/tea';

itReadsRepositories('memory', async (fixture) => {
  const commits = fixture.commits.map((_, at) => String(at + 1).repeat(40));
  const repository = {
    commits: Object.fromEntries(commits.map((id, at) => [id, filesOf(fixture, at)])),
    branches: named(fixture.branches, commits),
    tags: named(fixture.tags, commits),
    defaultBranch: fixture.defaultBranch,
  };
  const reader = memoryGitReader({ [url]: repository }, { maxFiles: 20, maxBytes: 100_000, timeoutMs: 1000 });
  return { reader, source: { url }, commits };
});

function filesOf({ commits }: RepositoryFixture, at: number): Record<string, MemoryGitFile> {
  return Object.fromEntries(Object.entries(commits[at] ?? {}).map(([path, file]) => [path, stored(file)]));
}

function stored(file: FixtureFile): MemoryGitFile {
  if (typeof file === 'string' || file instanceof Uint8Array) return { mode: '100644', content: file };
  if ('link' in file) return { mode: '120000', content: file.link };
  if ('submodule' in file) return { mode: '160000', content: file.submodule };
  return { mode: '100755', content: file.script };
}

function named(positions: Readonly<Record<string, number>>, commits: readonly string[]) {
  return Object.fromEntries(Object.entries(positions).map(([name, at]) => [name, commits[at] ?? '']));
}
