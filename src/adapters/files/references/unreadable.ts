import { Fault } from '../../../base/fault.ts';
import { isSystemError } from '../file-fault.ts';

/** An error of the file system becomes a Fault about reading `file`; others are thrown unchanged. */
export async function reading<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isSystemError(error) ? unreadable(file, error) : error;
  }
}

export function unreadable(file: string, cause: NodeJS.ErrnoException & { code: string }): Fault {
  return new Fault('files/unreadable', `${file} cannot be read: ${readProblem(cause)}.`, {
    hint: 'Check references.root, who owns it and whether you may read there.',
    cause,
  });
}

/** The reason, to go after a colon: "permission denied". */
export function readProblem({ code }: { readonly code: string }): string {
  return PROBLEMS[code] ?? code;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'it is not a directory',
  EIO: 'the disk does not answer',
  ELOOP: 'too many symbolic links',
};
