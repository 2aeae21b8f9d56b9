/** Whether the library is what it says it is. */

import type { Hasher } from '../../base/hasher.ts';
import { isGood, type KeptTopic, type ReferenceLibrary } from './library.ts';
import type { ReferenceIndex } from './reference-index.ts';
import { topicId } from './topic.ts';

export interface LibraryFinding {
  readonly topic_id: string | null;
  /** Part of a sentence. */
  readonly problem: string;
  readonly hint: string;
}

export interface CheckPorts {
  readonly library: ReferenceLibrary;
  readonly referenceIndex: ReferenceIndex;
  readonly hasher: Hasher;
}

export interface LibraryCheck {
  readonly topics: number;
  readonly files: number;
  readonly findings: readonly LibraryFinding[];
}

/** Reads every file. */
export async function checkLibrary(ports: CheckPorts, signal: AbortSignal): Promise<LibraryCheck> {
  const kept = await ports.library.list();
  const findings: LibraryFinding[] = [];
  let files = 0;
  for (const each of kept) {
    signal.throwIfAborted();
    const checked = await checkTopic(ports, each, signal);
    findings.push(...checked.findings);
    files += checked.files;
  }
  if (!(await ports.referenceIndex.isCurrent()))
    findings.push({
      topic_id: null,
      problem: 'the index is not up to date',
      hint: 'The next search brings it up to date, as does "ken ref reindex".',
    });
  return { topics: kept.length, files, findings };
}

async function checkTopic({ library, hasher }: CheckPorts, kept: KeptTopic, signal: AbortSignal) {
  const id = topicId(kept);
  if (!isGood(kept)) return { files: 0, findings: [brokenTopic(kept)] };
  const { files, broken } = await library.lock(kept.slug);
  const present = await library.filePaths(kept.slug);
  const known = new Set(files.map(({ path }) => path));
  const there = new Set(present);
  const changed: string[] = [];
  for (const { path, sha256 } of files) {
    signal.throwIfAborted();
    const content = there.has(path) ? await library.readFile(kept.slug, path) : undefined;
    if (content && hasher.sha256(content) !== sha256) changed.push(path);
  }
  const say = (count: string[], what: string, hint: string): LibraryFinding[] =>
    count.length === 0 ? [] : [{ topic_id: id, problem: `${counted(count)} ${what}`, hint }];
  const refresh = `Fetch it again with "ken ref refresh ${id}".`;
  return {
    files: files.length,
    findings: [
      ...(broken > 0
        ? [{ topic_id: id, problem: `lock.jsonl has ${broken} lines that cannot be read`, hint: refresh }]
        : []),
      ...say(
        [...known].filter((path) => !there.has(path)),
        'missing',
        refresh,
      ),
      ...say(changed, 'changed since fetched, and so not searched', refresh),
      ...say(
        present.filter((path) => !known.has(path)),
        'unknown to the lock, and so not searched',
        'Remove them, or import them.',
      ),
    ],
  };
}

export function brokenTopic(kept: Extract<KeptTopic, { problem: string }>): LibraryFinding {
  const id = topicId(kept);
  return {
    topic_id: id,
    problem: kept.problem,
    hint: `Repair its topic.md, or take it away with "ken ref delete ${id}".`,
  };
}

function counted(paths: readonly string[]): string {
  const [first = ''] = paths;
  return paths.length === 1 ? `${first} is` : `${first} and ${paths.length - 1} more are`;
}
