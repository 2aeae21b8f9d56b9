import { Fault } from '../../base/fault.ts';
import type { ProcessResult } from '../../base/processes.ts';
import { singleLine } from '../../base/terminal-text.ts';
import { noSuchRepository } from '../../domain/references/sources/git-faults.ts';

/** Converts the error output of git into a Fault. */
export function gitFault(url: string, { stderr, signal }: ProcessResult): Fault {
  const reason = errorLine(stderr) || (signal ? `git ended by ${signal}` : 'git gave no reason');
  const cause = new Error(stderr.slice(0, 4000));
  if (/returned error: 30[1-8]|unable to update url base from redirection/.test(stderr)) {
    return new Fault(
      'git/refused',
      `${url} redirects elsewhere, and ken does not follow redirects of repositories.`,
      {
        hint: 'Open it in a browser and give the address it ends at; some hosts want ".git" at the end.',
        cause,
      },
    );
  }
  if (/dubious ownership/.test(stderr)) {
    return new Fault('git/refused', `${url} belongs to another account, and git does not read it.`, {
      hint: 'Clone it under your own account, and give the clone.',
      cause,
    });
  }
  if (NOT_FOUND.test(stderr)) return noSuchRepository(url, cause);
  return new Fault('git/failed', `${url} could not be read: ${reason}.`, { cause });
}

/** The server does not have this object, or does not send objects by id. */
export function isUnknownObject({ stderr }: ProcessResult): boolean {
  return /not our ref|unadvertised object|remote error: want|no such remote ref|does not contain/i.test(
    stderr,
  );
}

const NOT_FOUND =
  /repository '.*' not found|does not appear to be a git repository|no such file or directory|Repository not found|returned error: 40[134]|could not read Username|terminal prompts disabled|Authentication failed|repository not exported|access denied/i;

/** The first error of git. Leaves out text of the server, which could pass for ken's. */
function errorLine(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const fatal = lines.find((line) => /^(fatal|error): /.test(line)) ?? '';
  if (/remote error|remote:/.test(fatal)) return 'the server refuses';
  return singleLine(fatal.replace(/^(fatal|error): /, '').replace(/\.$/, '')).slice(0, 300);
}
