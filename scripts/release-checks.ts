/** Checks of a release that need no other program. Each returns what is wrong, or an empty text. */

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** `found`: the version that each file names, by what the file is. */
export function versionProblem(wanted: string, found: Readonly<Record<string, string>>): string {
  if (!VERSION.test(wanted)) return `"${wanted}" is not a version such as 0.2.0`;
  const others = Object.entries(found).filter(([, version]) => version !== wanted);
  return others.map(([file, version]) => `${file} says ${version}`).join(', ');
}

/** The newest section is that of the version, dated and not empty, and nothing waits under [Unreleased]. */
export function changelogProblem(changelog: string, wanted: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const [unreleased = '', newest = ''] = sections;
  if (!unreleased.startsWith('[Unreleased]')) return 'it does not begin with [Unreleased]';
  if (/^- /m.test(unreleased)) return 'something is still under [Unreleased]';
  if (!newest.startsWith(`[${wanted}]`)) return `its newest section is not [${wanted}]`;
  if (!/^\[[^\]]+\] - \d{4}-\d{2}-\d{2}\n/.test(newest)) return `the section [${wanted}] has no date`;
  return /^- /m.test(newest) ? '' : `the section [${wanted}] is empty`;
}
