import type { Hasher } from '../../../base/hasher.ts';
import type { TopicSource } from './topic.ts';
import { asciiSlug } from './topic-slug.ts';

/**
 * Directory of each source's files, ending in a slash; empty for the top. A single git source (or directory) and web
 * pages use the top, several sources have a directory each.
 */
export function sourceDirectories(sources: readonly TopicSource[]): string[] {
  const trees = sources.filter(({ type }) => type !== 'web');
  const taken = new Set<string>();
  return sources.map((source) => {
    if (source.type === 'web' || trees.length === 1) return '';
    const directory = freeName(treeName(source), taken);
    taken.add(directory);
    return `${directory}/`;
  });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

/** `<owner>-<repo>`, as far as the address has them. */
function treeName(source: Exclude<TopicSource, { type: 'web' }>): string {
  const address = source.type === 'local' ? source.path : pathOf(source.url);
  const parts = address.split('/').filter((part) => part !== '');
  const [owner, repository] = [parts.at(-2), parts.at(-1)?.replace(/\.git$/, '')];
  return (
    [owner, repository]
      .map((part) => asciiSlug(part ?? ''))
      .filter(Boolean)
      .join('-') || 'source'
  );
}

/** Also understands `git@host:owner/repo`, which is not a URL. */
function pathOf(url: string): string {
  const scp = /^[^/:]+@[^/:]+:(?!\/\/)(.*)$/.exec(url);
  return readable(scp?.[1] ?? URL.parse(url)?.pathname ?? url);
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const LONGEST = 100;

/** File name of a web page; with a digest when the address has a query or the plain name is taken. */
export function pageFileName(hasher: Hasher, url: string, isTaken: (name: string) => boolean): string {
  const { hostname = '', pathname = '', search = '' } = URL.parse(url) ?? {};
  const slug = asciiSlug(
    `${hostname.replace(/^www\./, '')}${readable(pathname).replace(/\.(?:html?|md|txt)$/i, '')}`,
  );
  const name = slug.slice(0, LONGEST).replace(/-$/, '') || 'page';
  const plain = `${name}.md`;
  if (search === '' && slug.length <= LONGEST && !isTaken(plain)) return plain;
  const digest = hasher.sha256(url);
  for (let length = 8; ; length += 8) {
    const hashed = `${name}-${digest.slice(0, length)}.md`;
    if (!isTaken(hashed) || length >= digest.length) return hashed;
  }
}
