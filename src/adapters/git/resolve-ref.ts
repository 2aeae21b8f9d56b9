import { isCommitId } from '../../domain/references/sources/git-address.ts';

export interface NamedCommit {
  /** What is asked for: of an annotated tag, the tag itself. */
  readonly oid: string;
  /** The commit behind it, where the listing tells. */
  readonly commit: string;
}

/** Patterns for `git ls-remote`; what else they match is left out by `findRef`. */
export function refPatterns(ref: string | undefined): readonly string[] {
  if (ref === undefined || ref === 'HEAD') return ['HEAD'];
  return fullNames(ref).flatMap((name) => [name, `${name}^{}`]);
}

/** In the output of `git ls-remote`. A branch comes before a tag of the same name, as in `git clone --branch`. */
export function findRef(listing: string, ref: string | undefined): NamedCommit | undefined {
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
  return ref.startsWith('refs/') ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
}
