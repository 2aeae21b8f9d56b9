/** `team.json` in the operator's own directory of a workspace: how its topics were last equal to those of the team. */

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { asText, isJsonObject, type JsonObject, memberOf, parseJson } from '../../base/json.ts';
import type { SharedBase, SharedBases } from '../../domain/team/topics/plan-topic.ts';
import { readPlainFile } from '../paths/open-path.ts';
import { realPath } from '../paths/real-path.ts';
import { writeAtomically } from './atomic-write.ts';
import { isSystemError, writing } from './file-fault.ts';

/** `place` tells one database and workspace of a team from others. */
export function teamBases(directory: string, place: string): SharedBases {
  const file = path.join(directory, 'team.json');
  return {
    all: async () => basesIn(memberOf(read(file), place)),
    async put(key, base) {
      const all = read(file);
      const known = memberOf(all, place);
      const own = { ...(isJsonObject(known) ? known : {}), [key]: { ...base } };
      await writing(file, () => mkdir(directory, { recursive: true, mode: 0o700 }));
      await writeAtomically(file, `${JSON.stringify({ ...all, [place]: own }, undefined, 1)}\n`);
    },
  };
}

const MOST_BYTES = 16 * 1024 * 1024;

/** A file that cannot be read counts as empty: then more topics count as changed on both sides. */
function read(file: string): JsonObject {
  try {
    const content = readPlainFile(path.join(realPath(path.dirname(file)), path.basename(file)), MOST_BYTES);
    const json = content instanceof Uint8Array ? parseJson(content.toString('utf8')) : undefined;
    return isJsonObject(json) ? json : {};
  } catch (error) {
    if (isSystemError(error) || error instanceof Fault) return {};
    throw error;
  }
}

function basesIn(json: ReturnType<typeof memberOf>): ReadonlyMap<string, SharedBase> {
  const bases = new Map<string, SharedBase>();
  for (const [key, value] of Object.entries(isJsonObject(json) ? json : {})) {
    const digest = asText(memberOf(value, 'digest'));
    const begun = asText(memberOf(value, 'begun'));
    if (digest !== undefined) bases.set(key, { digest, ...(begun !== undefined && { begun }) });
  }
  return bases;
}
