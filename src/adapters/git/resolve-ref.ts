import { isCommitId } from '../../domain/references/sources/git-address.ts';
import { type GitLimits, noSuchRef, tooSlow } from '../../domain/references/sources/git-faults.ts';
import type { GitSource } from '../../domain/references/sources/git-reader.ts';
import { parseVersionRef, tagsOfVersion } from '../../domain/references/sources/version-ref.ts';
import type { Connection } from './connection.ts';
import { gitFault } from './git-error.ts';
import type { RunGit } from './run-git.ts';

export interface ResolvedRef {
  /** The object to fetch; for an annotated tag, the tag itself. */
  readonly oid: string;
  /** The commit of an annotated tag, if the listing has it; otherwise the same as `oid`. */
  readonly commit: string;
}

/** Throws a Fault when there is no such ref. `repository` is an empty local one to run git in. */
export async function resolveRef(
  { git, limits }: { readonly git: RunGit; readonly limits: GitLimits },
  { connection, repository }: { readonly connection: Connection; readonly repository: string },
  { url, ref }: GitSource,
  signal: AbortSignal,
): Promise<ResolvedRef> {
  const args = ['ls-remote', '--quiet', '--', connection.url, ...refPatterns(ref)];
  const result = await git(
    { args, directory: repository, connection, timeoutMs: limits.timeoutMs, stdoutBytes: MAX_LISTING },
    signal,
  );
  if (result.timedOut) throw tooSlow(url, limits);
  if (result.exitCode !== 0) throw gitFault(url, result);
  const found = findRef(result.stdout, ref);
  if (!found) throw noSuchRef(url, ref ?? 'HEAD');
  return found;
}

const MAX_LISTING = 8 * 1024 * 1024;

/** Patterns for `git ls-remote`, which may match more refs than `findRef` accepts. */
function refPatterns(ref: string | undefined): readonly string[] {
  if (ref === undefined || ref === 'HEAD') return ['HEAD'];
  return fullNames(ref).flatMap((name) => [name, `${name}^{}`]);
}

/** Finds a ref in the output of `git ls-remote`. A branch precedes a tag of the same name, as in `git clone`. */
function findRef(listing: string, ref: string | undefined): ResolvedRef | undefined {
  const oids = new Map<string, string>();
  for (const line of listing.split('\n')) {
    const [oid = '', name = ''] = line.split('\t');
    if (isCommitId(oid)) oids.set(name, oid);
  }
  const names = ref === undefined || ref === 'HEAD' ? ['HEAD'] : fullNames(ref);
  const name = names.find((each) => oids.has(each));
  const oid = name === undefined ? undefined : oids.get(name);
  return oid === undefined ? undefined : { oid, commit: oids.get(`${name}^{}`) ?? oid };
}

function fullNames(ref: string): readonly string[] {
  const version = parseVersionRef(ref);
  if (version) return tagsOfVersion(version).map((tag) => `refs/tags/${tag}`);
  return ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
}
