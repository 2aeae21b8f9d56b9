import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type {
  FixtureFile,
  RepositoryFixture,
} from '../../src/domain/references/sources/git-reader.contract.ts';

const IDENTITY = 'Ada <ada@example.org> 1700000000 +0000';

export interface BuiltRepository {
  /** Bare. */
  readonly directory: string;
  /** In the order of the fixture. */
  readonly commits: readonly string[];
}

/** Real git, away from whatever is configured here. */
export function git(directory: string, words: readonly string[], input?: string | Uint8Array): string {
  return execFileSync('git', ['-C', directory, ...words], {
    ...(input === undefined ? {} : { input }),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 1024 * 1024 * 1024,
    env: {
      PATH: process.env.PATH,
      HOME: directory,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
    },
  });
}

/** A bare repository at `<parent>/<name>.git` that holds exactly the fixture. */
export function buildRepository(parent: string, fixture: RepositoryFixture, name = 'tea'): BuiltRepository {
  const directory = path.join(parent, `${name}.git`);
  git(parent, ['init', '-q', '--bare', `--initial-branch=${fixture.defaultBranch}`, directory]);
  // What a public host allows.
  git(directory, ['config', 'uploadpack.allowFilter', 'true']);
  return { directory, commits: addCommits(directory, fixture) };
}

/** Adds to a repository that is there; branches and tags move, and the first commit has no parent. */
export function addCommits(
  directory: string,
  { commits, branches, tags }: RepositoryFixture,
): readonly string[] {
  const stream = commits.flatMap((files, at) => [
    `commit refs/import/c${at}\nmark :${at + 1}\ncommitter ${IDENTITY}\n${data(`commit ${at}`)}`,
    at === 0 ? 'deleteall\n' : `from :${at}\ndeleteall\n`,
    ...Object.entries(files).map(([file, content]) => entry(file, content)),
    '\n',
  ]);
  const named = [
    ...Object.entries(branches).map(([branch, at]) => `reset refs/heads/${branch}\nfrom :${at + 1}\n\n`),
    ...Object.entries(tags).map(
      ([tag, at]) => `tag ${tag}\nfrom :${at + 1}\ntagger ${IDENTITY}\n${data(tag)}`,
    ),
  ];
  const bytes = [...stream, ...named].map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  git(directory, ['fast-import', '--quiet', '--force'], Buffer.concat(bytes));
  const ids = commits.map((_, at) => git(directory, ['rev-parse', `refs/import/c${at}`]).trim());
  git(directory, ['update-ref', '--stdin'], commits.map((_, at) => `delete refs/import/c${at}\n`).join(''));
  return ids;
}

/** `\xNN` in a name stands for that byte, so that a name need not be UTF-8. */
function entry(file: string, content: FixtureFile): Uint8Array {
  if (isObject(content) && 'submodule' in content) return line(`M 160000 ${content.submodule}`, file);
  const [mode, text] = isObject(content)
    ? 'link' in content
      ? ['120000', content.link]
      : ['100755', content.script]
    : ['100644', content];
  const bytes = Buffer.from(text);
  return Buffer.concat([
    line(`M ${mode} inline`, file),
    Buffer.from(`data ${bytes.length}\n`),
    bytes,
    Buffer.from('\n'),
  ]);
}

function isObject(content: FixtureFile): content is Exclude<FixtureFile, string | Uint8Array> {
  return typeof content !== 'string' && !(content instanceof Uint8Array);
}

function line(start: string, file: string): Uint8Array {
  const raw = file.split(/(\\x[0-9a-f]{2})/).map((part) => {
    const [, byte] = /^\\x([0-9a-f]{2})$/.exec(part) ?? [];
    return byte === undefined ? Buffer.from(part) : Buffer.from([Number.parseInt(byte, 16)]);
  });
  const quoted = Buffer.concat(raw).toString('latin1').replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
  return Buffer.concat([Buffer.from(`${start} "`), Buffer.from(quoted, 'latin1'), Buffer.from('"\n')]);
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
