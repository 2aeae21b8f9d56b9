/** Reads one topic's directory, whose content may be hostile: links inside it are never followed. */

import { constants, lstatSync } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import { fileNameProblem } from '../../../domain/references/sources/file-name.ts';
import type { KeptTopic } from '../../../domain/references/topic/library.ts';
import { readPlainFile, statPlain } from '../../paths/open-path.ts';
import { realPath } from '../../paths/real-path.ts';
import { isSystemError } from '../file-fault.ts';
import { MAX_TOPIC_BYTES, parseTopicFile } from './topic-file.ts';
import { reading, readProblem } from './unreadable.ts';

const MAX_LOCK_BYTES = 64 * 1024 * 1024;
/** No fetched file is larger. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

export async function readTopicIn(directory: string, slug: string): Promise<KeptTopic | undefined> {
  const stats = await lookUp(directory);
  if (!stats) return undefined;
  if (!stats.isDirectory()) return { slug, problem: 'it is not a directory' };
  try {
    const content = await readPlain(path.join(directory, 'topic.md'), MAX_TOPIC_BYTES);
    if (!content) {
      const isGone = !(await lookUp(directory));
      return isGone ? undefined : { slug, problem: 'topic.md is missing, or is not a plain file' };
    }
    const read = parseTopicFile(slug, new TextDecoder().decode(content));
    if (!read.ok) return { slug, problem: read.problem };
    const problem =
      (await accessProblem(directory, 'lock.jsonl')) ?? (await accessProblem(directory, 'files'));
    return problem ? { slug, problem } : { slug, topic: read.topic, stamp: await stampOf(directory) };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { slug, problem: `topic.md cannot be read: ${readProblem(error)}` };
  }
}

/** A missing file is not a problem here: the lock shows what is missing. */
async function accessProblem(directory: string, name: string): Promise<string | undefined> {
  try {
    await access(path.join(directory, name), constants.R_OK);
    return undefined;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return error.code === 'ENOENT' ? undefined : `${name} cannot be read: ${readProblem(error)}`;
  }
}

/** Identifies the state of the lock: replacing it makes another file. */
async function stampOf(directory: string): Promise<string> {
  const file = path.join(directory, 'lock.jsonl');
  const stats = await lstat(file, { bigint: true }).catch(absent);
  return stats ? `${stats.ino}-${stats.size}-${stats.mtimeNs}` : '';
}

export async function readLockIn(directory: string): Promise<string> {
  const file = path.join(directory, 'lock.jsonl');
  const content = await reading(file, () => readPlain(file, MAX_LOCK_BYTES).catch(absent));
  return content ? new TextDecoder().decode(content) : '';
}

/** The file's real path; undefined when the name or a link leads out of the topic. */
export async function plainFile(directory: string, name: string): Promise<string | undefined> {
  if (fileNameProblem(name)) return undefined;
  const file = path.join(realPath(directory), 'files', name);
  try {
    return statPlain(file)?.isFile() ? file : undefined;
  } catch (error) {
    return unlessBug(error);
  }
}

/** Undefined also for a file that cannot be read: it counts as missing and does not affect others. */
export async function readFileIn(directory: string, name: string): Promise<Uint8Array | undefined> {
  const file = await plainFile(directory, name);
  return file ? readPlain(file, MAX_FILE_BYTES).catch(unlessBug) : undefined;
}

/** Paths below `files`, with slashes, of all plain files in directories that can be read. */
export async function filePathsIn(directory: string): Promise<string[]> {
  const files = path.join(directory, 'files');
  if (!(await lookUp(files))?.isDirectory()) return [];
  const paths: string[] = [];
  const directories = [''];
  for (let at = directories.pop(); at !== undefined; at = directories.pop()) {
    for (const entry of (await readdir(path.join(files, at), { withFileTypes: true }).catch(unlessBug)) ??
      []) {
      if (entry.isDirectory()) directories.push(`${at}${entry.name}/`);
      else if (entry.isFile()) paths.push(`${at}${entry.name}`);
    }
  }
  return paths;
}

/**
 * Undefined for what is missing or not a plain file; does not wait for a pipe. Synchronous: for thousands of small
 * files, handing each step to another thread takes several times as long as the step.
 */
export async function readPlain(file: string, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    const content = readPlainFile(path.join(realPath(path.dirname(file)), path.basename(file)), maxBytes);
    return content === 'too-large' ? undefined : content;
  } catch (error) {
    if (error instanceof Fault && error.code === 'files/refused') return undefined;
    throw error;
  }
}

/** Undefined when there is nothing at the path; a Fault when that cannot be read. */
export async function lookUp(file: string) {
  return reading(file, () => statsOf(file).catch(absent));
}

async function statsOf(file: string) {
  return lstatSync(file);
}

function unlessBug(error: unknown): undefined {
  if (!isSystemError(error) && !(error instanceof Fault)) throw error;
}

function absent(error: unknown): undefined {
  if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
  throw error;
}
