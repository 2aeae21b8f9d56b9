import { statSync } from 'node:fs';

export const ABSENT = 'absent';

/** Changes when a file is replaced, as by a checkout, but not when it is written to. */
export function fileIdentity(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` : ABSENT;
}
