/** A ref that means the tag of a version: `version:hono@4.1.0`, or `version:4.1.0` where the package has no name. */

const MARK = 'version:';

export interface PackageVersion {
  /** Empty when it is not known. */
  readonly name: string;
  readonly version: string;
}

export function versionRef({ name, version }: PackageVersion): string {
  return `${MARK}${name === '' ? '' : `${name}@`}${version}`;
}

/** Undefined for a branch, a tag or a commit: no ref of git has a colon. */
export function parseVersionRef(ref: string): PackageVersion | undefined {
  if (!ref.startsWith(MARK)) return undefined;
  const text = ref.slice(MARK.length);
  const at = text.lastIndexOf('@');
  const [name, version] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  const isSound = isVersion(version) && (name === '' || isPackageName(name));
  return isSound ? { name, version } : undefined;
}

/** Whether a text of a lock file can be a version: it names a tag and nothing else. */
export function isVersion(text: string): boolean {
  return /^v?\d[\w.+-]{0,80}$/.test(text) && !text.includes('..') && !/\.$|\.lock$/.test(text);
}

export function isPackageName(text: string): boolean {
  return /^@?[\w.-]+(?:\/[\w.-]+)*$/.test(text) && text.length <= 120 && !text.includes('..');
}

/** In the order in which they are looked for: in a repository of many packages `v4.1.0` may be another one's. */
export function tagsOfVersion({ name, version }: PackageVersion): readonly string[] {
  const plain = version.replace(/^v(?=\d)/, '');
  const short = name.slice(name.lastIndexOf('/') + 1);
  const own = [...new Set([name, short])].filter((each) => each !== '');
  const named = own.flatMap((each) =>
    ['@', '@v', '-v', '/v', '-', '/', '_v', '_'].map((between) => `${each}${between}${plain}`),
  );
  const underscored = plain.replaceAll('.', '_');
  const unnamed = [`v${plain}`, plain, `release-${plain}`, `release/${plain}`, `rel_${underscored}`];
  return [...named, ...unnamed].filter((tag) => !tag.startsWith('@') || tag.includes('/'));
}
