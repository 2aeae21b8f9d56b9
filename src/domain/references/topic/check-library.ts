import type { Hasher } from '../../../base/hasher.ts';
import { counted } from '../../../base/text.ts';
import type { ReferenceIndex } from '../search/reference-index.ts';
import { inspectFiles } from './inspect-files.ts';
import { isGood, type KeptTopic, type ReferenceLibrary } from './library.ts';
import type { LockedFile } from './lock.ts';
import { topicId } from './topic.ts';

export interface LibraryFinding {
  readonly topic_id: string | null;
  /** A clause without a final stop. */
  readonly problem: string;
  readonly hint: string;
  /** A refresh mends it. */
  readonly isRefetched: boolean;
}

export interface CheckPorts {
  readonly library: ReferenceLibrary;
  readonly referenceIndex: ReferenceIndex;
  readonly hasher: Hasher;
}

export interface LibraryCheck {
  readonly topics: number;
  /** Topics whose files were compared: all of them unless the time was over. */
  readonly checked: number;
  readonly files: number;
  readonly findings: readonly LibraryFinding[];
}

/** Reads and hashes every file, topic after topic until `isOver`. Descriptions are all read. */
export async function checkLibrary(
  ports: CheckPorts,
  signal: AbortSignal,
  isOver: () => boolean = () => false,
): Promise<LibraryCheck> {
  const kept = await ports.library.list();
  const findings: LibraryFinding[] = [];
  let files = 0;
  let checked = 0;
  for (const each of kept) {
    signal.throwIfAborted();
    if (isGood(each) && isOver()) continue;
    const found = await checkTopic(ports, each, signal);
    findings.push(...found.findings);
    files += found.files;
    checked += 1;
  }
  if (!(await ports.referenceIndex.isCurrent()))
    findings.push({
      topic_id: null,
      problem: 'the index is not up to date',
      hint: 'The next search brings it up to date, as does "ken ref reindex".',
      isRefetched: false,
    });
  return { topics: kept.length, checked, files, findings };
}

async function checkTopic(ports: CheckPorts, kept: KeptTopic, signal: AbortSignal) {
  const id = topicId(kept);
  if (!isGood(kept)) return { files: 0, findings: [{ ...brokenTopic(kept), isRefetched: false }] };
  const { files, broken } = await ports.library.lock(kept.slug);
  const { missing, changed, unknown } = await inspectFiles(ports, kept.slug, files, signal);
  const say = (paths: readonly string[], what: string, hint: string): LibraryFinding[] =>
    paths.length === 0
      ? []
      : [{ topic_id: id, problem: `${namedPaths(paths)} ${what}`, hint, isRefetched: hint === refresh }];
  const refresh = `Fetch it again with "ken ref refresh ${id}".`;
  return {
    files: files.length,
    findings: [
      ...(broken > 0
        ? [
            {
              topic_id: id,
              problem: `lock.jsonl has ${counted(broken, 'line')} that cannot be read`,
              hint: refresh,
              isRefetched: true,
            },
          ]
        : []),
      ...say(pathsOf(missing), 'missing', refresh),
      ...say(pathsOf(changed), 'not what was fetched, and so not searched', refresh),
      ...say(unknown, 'unknown to the lock, and so not searched', 'Remove them, or import them.'),
    ],
  };
}

function pathsOf(files: readonly LockedFile[]): string[] {
  return files.map(({ path }) => path);
}

export function brokenTopic(
  kept: Extract<KeptTopic, { problem: string }>,
): Omit<LibraryFinding, 'isRefetched'> {
  const id = topicId(kept);
  return {
    topic_id: id,
    problem: kept.problem,
    hint: `Repair it, or delete it with "ken ref delete ${id}".`,
  };
}

function namedPaths(paths: readonly string[]): string {
  const [first = ''] = paths;
  return paths.length === 1 ? `${first} is` : `${first} and ${paths.length - 1} more are`;
}
