import { Fault } from '../../../base/fault.ts';
import { parseVersionRef, tagsOfVersion } from './version-ref.ts';

const NARROW = 'Give paths, such as "docs/" or "README.md", to take less of the repository';

export interface GitLimits {
  /** Number of files whose content is fetched. */
  readonly maxFiles: number;
  /** Bytes received, and bytes of content. */
  readonly maxBytes: number;
  /** Time limit of each exchange with the repository. */
  readonly timeoutMs: number;
}

export function tooManyFiles(url: string, count: number, { maxFiles }: GitLimits): Fault {
  return new Fault(
    'git/too-many-files',
    `${url}: ${count} files would be fetched, and the limit is ${maxFiles}.`,
    {
      hint: `${NARROW}, or raise references.max_files.`,
    },
  );
}

export function tooManyBytes(url: string, { maxBytes }: GitLimits): Fault {
  return new Fault('git/too-large', `${url}: more than ${maxBytes} bytes, which is the limit.`, {
    hint: `${NARROW}, or raise references.max_bytes.`,
  });
}

export function noSuchRepository(url: string, cause?: unknown): Fault {
  return new Fault('git/not-found', `There is no git repository at ${url}, or it is not open to everybody.`, {
    cause,
  });
}

export function noSuchRef(url: string, ref: string): Fault {
  const version = parseVersionRef(ref);
  if (version)
    return new Fault(
      'git/not-found',
      `${url} has no tag of ${version.name === '' ? 'version' : version.name} ${version.version}.`,
      {
        hint: `It would be called ${tagsOfVersion(version).slice(0, 2).join(' or ')}, or v${version.version}; give its tag with --ref.`,
      },
    );
  return new Fault(
    'git/not-found',
    `${url} has no branch, tag or commit ${JSON.stringify(ref.slice(0, 200))}.`,
    { hint: 'A commit is named by its full id; a branch or tag by its name.' },
  );
}
export function tooSlow(url: string, { timeoutMs }: GitLimits): Fault {
  return new Fault(
    'git/timeout',
    `${url}: not done after ${Math.round(timeoutMs / 1000)} seconds, which is the limit.`,
    {
      hint: `${NARROW}, try again later, or raise references.timeout_s.`,
    },
  );
}
