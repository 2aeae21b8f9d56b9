/** Keeps conversations out of git: they hold what people typed, and imported transcripts of whole projects. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import { readPlainFile } from '../../paths/open-path.ts';
import { createExclusive, writeAtomically } from '../atomic-write.ts';
import { FORMER_GITIGNORES, GITIGNORE, SHARING_GITIGNORE } from '../starter-files.ts';

const MAX_BYTES = 64 * 1024;

/**
 * Changes `.ken/.gitignore` only while it is as ken wrote it. One that a person has changed stays as it is; in a
 * repository, a warning says which line is missing. A file that cannot be read or written stops nothing.
 */
export async function keepOutOfGit(
  home: string,
  isShared: boolean,
  warn: (text: string) => void,
): Promise<void> {
  try {
    await adjust(home, isShared, warn);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    warn(`git may not ignore conversations: ${error.message}`);
  }
}

async function adjust(home: string, isShared: boolean, warn: (text: string) => void): Promise<void> {
  const file = path.join(home, '.gitignore');
  const found = readPlainFile(file, MAX_BYTES);
  if (found === 'too-large') return;
  const text = found?.toString('utf8');
  if (text === (isShared ? SHARING_GITIGNORE : GITIGNORE)) return;
  if (isShared) {
    if (text !== GITIGNORE) return;
    await writeAtomically(file, SHARING_GITIGNORE, { follow: 'directories' });
    return warn(SHARED);
  }
  if (text !== undefined && [SHARING_GITIGNORE, ...FORMER_GITIGNORES].includes(text))
    return writeAtomically(file, GITIGNORE, { follow: 'directories' });
  if (!isInRepository(home)) return;
  if (text === undefined) return createExclusive(file, GITIGNORE);
  if (!text.split(/\r?\n/).some((line) => IGNORES.test(line.trim()))) warn(NOT_IGNORED);
}

const SHARED =
  'conversation.share is true: .ken/.gitignore leaves conversations in, so "git add" commits what was asked and ' +
  'answered, and imported transcripts, for everybody who can read the repository.';

const NOT_IGNORED =
  'git does not ignore conversations: add the line /conversations/ to .ken/.gitignore, or set conversation.share to ' +
  'true.';

const IGNORES = /^(?:\*|\/?conversations(?:\/\*{0,2})?)$/;

function isInRepository(directory: string): boolean {
  const parent = path.dirname(directory);
  return existsSync(path.join(directory, '.git')) || (parent !== directory && isInRepository(parent));
}
