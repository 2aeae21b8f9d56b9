import { Fault } from '../../../base/fault.ts';
import { type Glob, parsePathPattern } from '../../../base/glob.ts';

/** A Fault for an invalid pattern. */
export function excludedPaths(patterns: readonly string[]): Glob {
  const globs = patterns.map((pattern) => {
    const glob = parsePathPattern(pattern);
    if (glob) return glob;
    throw new Fault('search/bad-pattern', `"${pattern}" is not a pattern of paths.`, {
      hint: 'Write *.test.ts for such files at every level, docs/old/ for a directory, or src/**/*.snap.',
    });
  });
  return { matches: (path) => globs.some((glob) => glob.matches(path)) };
}
