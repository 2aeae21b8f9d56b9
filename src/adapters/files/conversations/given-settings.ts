import { closeSync, constants, fsyncSync, mkdirSync, writeSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import type { Hasher } from '../../../base/hasher.ts';
import { canonicalJson, type Json } from '../../../base/json.ts';
import type { GivenSettings } from '../../../domain/conversations/given-settings.ts';
import { openFile, readPlainFile, statPlain } from '../../paths/open-path.ts';
import { isSystemError } from '../file-fault.ts';

const MOST_BYTES = 256 * 1024 * 1024;
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
const FOR_OTHERS_TO_WRITE = 0o022;

/** A file in the operator's data directory: a digest on each line, and no text of the settings. */
export function givenSettingsIn(file: string, hasher: Hasher): GivenSettings {
  const lineOf = (settings: Json) => hasher.sha256(canonicalJson(['ken-conversation-settings-1', settings]));
  const isKnown = (line: string) => linesIn(file).has(line);
  return {
    async add(settings) {
      const line = lineOf(settings);
      if (!isKnown(line)) unlessUnusable(() => append(file, line));
    },
    has: async (settings) => isKnown(lineOf(settings)),
  };
}

/** Begins with a line end, since a crash may have cut the last line off. */
function append(file: string, line: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const descriptor = openFile(file, { flags: APPEND, mode: 0o600 });
  try {
    writeSync(descriptor, `\n${line}`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Empty for a file that somebody else can write to. */
function linesIn(file: string): ReadonlySet<string> {
  const content = unlessUnusable(() => (isOwn(file) ? readPlainFile(file, MOST_BYTES) : undefined));
  return new Set(content instanceof Buffer ? content.toString('latin1').split('\n') : []);
}

function isOwn(file: string): boolean {
  const stats = statPlain(file);
  return stats?.uid === process.getuid?.() && ((stats?.mode ?? 0) & FOR_OTHERS_TO_WRITE) === 0;
}

/** Without the record, settings of conversations narrow: nothing else depends on it. */
function unlessUnusable<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    if (isSystemError(error) || error instanceof Fault) return undefined;
    throw error;
  }
}
