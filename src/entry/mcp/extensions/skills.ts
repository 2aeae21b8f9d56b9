/** The skills extension: directories of the knowledge base with a SKILL.md, as clients read skills. */

import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server';
import type { SkillCatalog } from '@modelcontextprotocol/server/ext/skills';
import { z } from 'zod';
import type { OpenTopic } from '../../../domain/knowledge-base/open-topics.ts';
import { mimeTypeOf } from '../../../domain/search/citations/open-uri.ts';
import { pageOf } from '../page.ts';
import type { ServedWorkspace } from '../served-workspace.ts';

const SCHEME = 'skill://';
const MANIFEST = 'SKILL.md';
/** The limits of the extension. */
const MAX_FILES = 512;
const MAX_BYTES = 16 * 1024 * 1024;

export function isSkillUri(uri: string): boolean {
  return uri.startsWith(SCHEME);
}

export interface SkillServing {
  readonly server: Server;
  readonly era: 'legacy' | 'modern';
  use<Result>(work: (served: ServedWorkspace) => Promise<Result>): Promise<Result>;
}

/** Answers `skills/list` and `skills/get`. Files are read as resources. */
export function addSkills({ server, era, use }: SkillServing): void {
  const caching = era === 'modern' ? { ttlMs: 0, cacheScope: 'private' } : {};
  const list = z.looseObject({ cursor: z.string().optional() });
  server.setRequestHandler('skills/list', { params: list }, async ({ cursor }) => {
    const { entries } = await use((served) => skillCatalog(served));
    const { items, ...rest } = pageOf(entries, ({ uri }) => uri, cursor);
    return { skills: items, ...rest, ...caching };
  });
  const get = z.looseObject({ uri: z.string() });
  server.setRequestHandler('skills/get', { params: get }, async ({ uri }) => {
    const { entries } = await use((served) => skillCatalog(served));
    const skill = entries.find((entry) => entry.uri === uri);
    if (skill) return { skill, ...caching };
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no skill at ${uri}.`);
  });
}

/** Reads every file of every skill (of one topic), for its digest. Skills whose front matter is invalid are left out with a note. */
async function skillCatalog(served: ServedWorkspace, topicId?: string): Promise<SkillCatalog> {
  const { memorySkillFiles, SkillsExtension } = await import('@modelcontextprotocol/server/ext/skills');
  const files: Record<string, Uint8Array> = {};
  const topics = await served.topics();
  for (const open of topics.filter(({ topic: { id } }) => id === (topicId ?? id))) {
    for (const directory of skillDirectories(open)) {
      const own = skillFiles(open, directory);
      if (own) Object.assign(files, Object.fromEntries(own));
      else served.note(`The skill ${directory} of ${open.topic.id} is left out: it is too large.`);
    }
  }
  return SkillsExtension.load(memorySkillFiles(files), {
    onWarning: ({ path, message }) => served.note(`${path}: ${message}`),
  });
}

/** Directories of the skills that `learn` lists. */
function skillDirectories({ catalog }: OpenTopic): readonly string[] {
  return catalog.reachable.all
    .filter(({ isSkill, hidden }) => isSkill && !hidden)
    .map(({ path }) => path.slice(0, -MANIFEST.length - 1));
}

/** By path below `skill://`; undefined for a skill that is too large. */
function skillFiles(open: OpenTopic, directory: string): readonly [string, Uint8Array][] | undefined {
  const paths = pathsIn(open, directory);
  if (paths.length > MAX_FILES) return undefined;
  let left = MAX_BYTES;
  const files: [string, Uint8Array][] = [];
  for (const path of paths) {
    const read = open.files.read(path, left);
    if (!read.ok) continue;
    if (read.size > left) return undefined;
    left -= read.size;
    // The next read may reuse the memory.
    files.push([`${open.topic.id}/${path}`, read.bytes.slice()]);
  }
  return files;
}

/** Without files that begin with a dot, and without disabled ones. */
function pathsIn({ catalog }: OpenTopic, directory: string): readonly string[] {
  return catalog.reachable.all
    .map(({ path }) => path)
    .filter((path) => path.startsWith(`${directory}/`) && !path.slice(directory.length).includes('/.'));
}

/** The bytes of a file of a skill, as its digest covers them. */
export async function readSkillFile(served: ServedWorkspace, uri: string): Promise<ReadResourceResult> {
  const [topic = '', ...parts] = uri.slice(SCHEME.length).split('/').map(decoded);
  const { entries } = await skillCatalog(served, topic);
  if (
    !entries.some(({ resources }) => Array.isArray(resources) && resources.some((each) => each.uri === uri))
  )
    throw new ResourceNotFoundError(uri, `There is no file of a skill at ${uri}.`);
  const path = parts.join('/');
  const open = (await served.topics()).find(({ topic: { id } }) => id === topic);
  const read = open?.files.read(path, MAX_BYTES);
  if (!read?.ok) throw new ResourceNotFoundError(uri, `${uri} cannot be read.`);
  const mimeType = mimeTypeOf({ kind: 'subject' }, path);
  const text = textIn(read.bytes);
  if (text !== undefined) return { contents: [{ uri, mimeType, text }] };
  return { contents: [{ uri, mimeType, blob: Buffer.from(read.bytes).toString('base64') }] };
}

/** An invalid percent escape stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
