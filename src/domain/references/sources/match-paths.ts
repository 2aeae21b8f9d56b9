/** Matches the `paths` of a source: `docs/` is a directory, `README.md` a file, others are globs over whole paths. */

import { Fault } from '../../../base/fault.ts';
import { parseGlob } from '../../../base/glob.ts';

export interface PathMatch<File> {
  /** In the order of `files`. */
  readonly matching: readonly File[];
  /** Entries of `paths` that match no file, as written. */
  readonly unmatchedPaths: readonly string[];
}

/** Empty `paths` match everything. */
export function matchPaths<File extends { readonly path: string }>(
  files: readonly File[],
  paths: readonly string[],
): PathMatch<File> {
  if (paths.length === 0) return { matching: files, unmatchedPaths: [] };
  const names = namesIn(files);
  const tests = paths.map((path) => testFor(path, names));
  const isMatched = paths.map(() => false);
  const matching = files.filter(({ path }) => {
    let isWanted = false;
    tests.forEach((test, at) => {
      if (!test(path)) return;
      isWanted = true;
      isMatched[at] = true;
    });
    return isWanted;
  });
  return { matching, unmatchedPaths: paths.filter((_, at) => !isMatched[at]) };
}

/** Throws a Fault for text that cannot be a path inside a repository. */
export function checkPaths(paths: readonly string[]): void {
  for (const path of paths) {
    const problem = problemWith(path);
    if (problem === undefined) continue;
    throw new Fault('references/invalid-path', `The path ${JSON.stringify(path.slice(0, 200))} ${problem}.`, {
      hint: 'Write "docs/" for a directory, "README.md" for a file, or a pattern such as "src/**/*.ts".',
    });
  }
}

function problemWith(path: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'contains control characters';
  if (path.trim() === '') return 'is empty';
  if (path.startsWith('-')) return 'starts with a dash';
  if (path.startsWith('/')) return 'is absolute; paths start at the root of the repository';
  if (path.split('/').includes('..')) return 'leads out of the repository';
  const parsed = parseGlob(path);
  if (parsed.ok) return undefined;
  return {
    negated: 'negates',
    'too-long': 'is too long',
    'too-many-alternatives': 'has too many alternatives',
  }[parsed.problem];
}

interface Names {
  readonly files: ReadonlySet<string>;
  readonly directories: ReadonlySet<string>;
}

function namesIn(files: readonly { readonly path: string }[]): Names {
  const directories = new Set<string>();
  for (const { path } of files) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const directory = path.slice(0, end);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  return { files: new Set(files.map(({ path }) => path)), directories };
}

/** An existing file of exactly that name wins over the pattern: `app/[slug]/page.tsx`. */
function testFor(written: string, { files, directories }: Names): (path: string) => boolean {
  const wanted = written.replace(/^(\.\/+)+/, '').replace(/\/{2,}/g, '/');
  const name = wanted.replace(/\/$/, '');
  if (name === '' || name === '.') return () => true;
  const isDirectory = wanted.endsWith('/');
  if (files.has(name) && !isDirectory) return (path) => path === name;
  const below = `${name}/`;
  if (directories.has(name)) return (path) => path.startsWith(below);
  if (!/[*?[\]{}\\]/.test(name)) return () => false;
  const parsed = parseGlob(isDirectory ? `${name}/**` : name);
  return parsed.ok ? parsed.glob.matches : () => false;
}
