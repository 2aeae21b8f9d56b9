/** A whole reference library in memory, for tests: real rules, no disk and no net. */

import { scriptedApprover } from '../../../../test/doubles/approvers.ts';
import { noDocuments } from '../../../../test/doubles/documents.ts';
import { type MemoryRepository, memoryGitReader } from '../../../../test/doubles/git-reader.ts';
import { countingIds } from '../../../../test/doubles/ids.ts';
import { memoryReferenceLibrary } from '../../../../test/doubles/reference-library.ts';
import { type MemoryPage, memoryWebClient } from '../../../../test/doubles/web-client.ts';
import { approvalsInMemory, indexInMemory, jobsInMemory } from '../../../../test/stores-in-memory.ts';
import { systemHasher } from '../../../adapters/system/primitives.ts';
import type { ApproverAnswer } from '../../approvals/approver.ts';
import type { JobProgress } from '../../approvals/job.ts';
import { plainChunker } from '../../chunks/plain-chunks.ts';
import { referenceIndex } from '../../search/engine/reference-index.ts';
import { searchEngine } from '../../search/engine/search-engine.ts';
import type { CreateInput, CreatePorts } from '../lifecycle/create-topic.ts';
import type { NewTopic, RequestedSource } from '../lifecycle/topic-request.ts';
import type { LocalDirectories } from '../sources/git-reader.ts';

export const LIMITS = { maxFiles: 100, maxBytes: 10_000_000, maxFileBytes: 50_000 };
export const YES: ApproverAnswer = { verdict: 'approve', by: 'ada', through: 'terminal' };
export const NO: ApproverAnswer = { verdict: 'deny', by: 'ada', through: 'terminal' };
export const REPOSITORY = 'https://github.com/o/signals';
export const never = new AbortController().signal;

/** The repository, the page and the time can be changed during a test. */
export function libraryDesk(...answers: readonly ApproverAnswer[]) {
  const time = { now: Date.UTC(2026, 0, 1) };
  const clock = { now: () => time.now };
  const repositories: Record<string, MemoryRepository> = {};
  const pages: Record<string, MemoryPage> = {};
  const hasher = systemHasher;
  const library = memoryReferenceLibrary();
  const store = indexInMemory();
  const approver = scriptedApprover(...answers);
  const noDirectories: LocalDirectories = { open: () => Promise.reject(new Error('no directories here')) };
  const html = {
    toMarkdown: async (text: string) => ({ title: undefined, markdown: text.replace(/<[^>]*>/g, '') }),
  };
  const ports: CreatePorts = {
    library,
    documents: noDocuments,
    referenceIndex: referenceIndex({
      library,
      store,
      hasher,
      chunker: plainChunker,
      documents: noDocuments,
      embedder: undefined,
      engine: searchEngine({ stores: [store], embedder: undefined }),
    }),
    gitReader: memoryGitReader(repositories, { ...LIMITS, timeoutMs: 1000 }),
    localDirectories: noDirectories,
    web: memoryWebClient({ clock }, pages),
    html,
    hasher,
    clock,
    ids: countingIds(),
    approvals: approvalsInMemory(),
    approver,
    jobs: jobsInMemory(),
    processWatch: { self: async () => 'me', liveness: async () => 'alive' },
    config: { approvals: { noninteractive: 'pending', expires_hours: 24 } },
  };
  return { ports, time, repositories, pages, approver, store, library };
}

/** A repository of one branch; the commit's id is made of its number. */
export function repositoryOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  commit = 1,
): MemoryRepository {
  const id = commit.toString(16).padStart(40, '0');
  const tree = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, { mode: '100644' as const, content }]),
  );
  return { commits: { [id]: tree }, branches: { main: id }, tags: {}, defaultBranch: 'main' };
}

export function gitSource(changes: Partial<Extract<RequestedSource, { type: 'git' }>> = {}): RequestedSource {
  return { type: 'git', url: REPOSITORY, paths: [], ...changes };
}

export function createInput(changes: Partial<NewTopic> = {}): CreateInput & { progress: JobProgress[] } {
  const progress: JobProgress[] = [];
  return {
    topic: {
      title: 'Signals',
      sources: [gitSource()],
      createdBy: { ghost: 'ken', model: undefined },
      limits: LIMITS,
      ...changes,
    },
    workspace: undefined,
    actor: 'ken ref create',
    onProgress: (each) => progress.push(each),
    progress,
  };
}
