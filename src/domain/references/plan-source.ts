/** What a source has now, compared with what was kept of it: found out before anything is written. */

import { Fault } from '../../base/fault.ts';
import type { Hasher } from '../../base/hasher.ts';
import type { PageLink } from '../web/markdown-links.ts';
import { type HtmlConverter, readPage } from '../web/read-page.ts';
import type { Validators, WebClient, WebPage } from '../web/web-client.ts';
import { fileNameProblem } from './file-name.ts';
import type { GitFile, GitReader, GitTree } from './git-reader.ts';
import type { LocalDirectories } from './local-directories.ts';
import type { LockedFile } from './lock.ts';
import { selectTree } from './select-tree.ts';
import { addSkips, type SkipCounts } from './skip.ts';
import type { GitSource, LocalSource, TopicSource, WebSource } from './topic.ts';
import type { FetchLimits } from './topic-request.ts';

export interface SourcePorts {
  readonly gitReader: GitReader;
  readonly localDirectories: LocalDirectories;
  readonly web: WebClient;
  readonly html: HtmlConverter;
  readonly hasher: Hasher;
}

export interface SourceRequest {
  readonly source: TopicSource;
  /** Of its files, below the topic's. */
  readonly directory: string;
  /** What was kept of it, as far as it is still there. */
  readonly previous: readonly LockedFile[];
  /** Something of it is missing, so that it has to be looked at whatever its version is. */
  readonly isIncomplete: boolean;
  readonly limits: FetchLimits;
  onReceived?(bytes: number): void;
}

export type SourcePlan = UnchangedPlan | FailedPlan | TreePlan | PagePlan;

/** It is what it was. */
export interface UnchangedPlan {
  readonly kind: 'unchanged';
  readonly source: TopicSource;
  readonly previous: readonly LockedFile[];
}

/** It could not be had; what there was of it stays. */
export interface FailedPlan {
  readonly kind: 'failed';
  readonly source: TopicSource;
  readonly previous: readonly LockedFile[];
  readonly fault: Fault;
}

export interface TreePlan {
  readonly kind: 'tree';
  readonly source: GitSource | LocalSource;
  readonly directory: string;
  readonly previous: readonly LockedFile[];
  /** Still open. */
  readonly tree: GitTree;
  /** Content that is there already, under this name or another. */
  readonly carried: readonly { readonly file: GitFile; readonly from: LockedFile }[];
  readonly wanted: readonly GitFile[];
  readonly skipped: SkipCounts;
  readonly warnings: readonly string[];
}

export interface PagePlan {
  readonly kind: 'page';
  readonly source: WebSource;
  readonly previous: readonly LockedFile[];
  readonly page: WebPage;
  readonly content: Uint8Array;
  /** What it points to where that is its purpose; offered and not followed. */
  readonly offers: readonly PageLink[];
}

/** Throws only when it is aborted, or for a bug. */
export async function planSource(
  ports: SourcePorts,
  request: SourceRequest,
  signal: AbortSignal,
): Promise<SourcePlan> {
  const { source, previous } = request;
  try {
    if (source.type === 'web') return await planPage(ports, { ...request, source }, signal);
    if (source.type === 'local')
      return await planTree(request, source, await ports.localDirectories.open(source.path));
    return await planRepository(ports, request, source, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Fault)) throw error;
    return { kind: 'failed', source, previous, fault: error };
  }
}

async function planRepository(
  { gitReader }: SourcePorts,
  request: SourceRequest,
  source: GitSource,
  signal: AbortSignal,
): Promise<SourcePlan> {
  const { previous, isIncomplete, onReceived } = request;
  if (source.commit !== undefined && !isIncomplete) {
    const head = await gitReader.head(source, signal);
    if (head === source.commit) return { kind: 'unchanged', source, previous };
  }
  const progress = ({ receivedBytes }: { receivedBytes: number }) => onReceived?.(receivedBytes);
  return planTree(request, source, await gitReader.open(source, { progress }, signal));
}

async function planTree(
  { directory, previous }: SourceRequest,
  source: GitSource | LocalSource,
  tree: GitTree,
): Promise<TreePlan> {
  try {
    const paths = source.type === 'git' ? source.paths : [];
    const { selected, skipped, unmatchedPaths } = await selectTree(tree, paths);
    const usable = selected.filter(({ path }) => !fileNameProblem(`${directory}${path}`));
    const byPath = new Map(previous.map((file) => [file.path, file]));
    const byOid = new Map(previous.map((file) => [file.oid, file]));
    const found = usable.map((file) => {
      const same = byPath.get(`${directory}${file.path}`);
      return { file, from: same?.oid === file.oid ? same : byOid.get(file.oid) };
    });
    const unusable = selected.length - usable.length;
    return {
      kind: 'tree',
      source,
      directory,
      previous,
      tree,
      carried: found.flatMap(({ file, from }) => (from ? [{ file, from }] : [])),
      wanted: found.flatMap(({ file, from }) => (from ? [] : [file])),
      skipped: addSkips(skipped, unusable > 0 ? { unusable_name: unusable } : {}),
      warnings: unmatchedPaths.map((path) => `${addressText(source)}: nothing matches the path ${path}`),
    };
  } catch (error) {
    await tree.close();
    throw error;
  }
}

function addressText(source: GitSource | LocalSource): string {
  return source.type === 'git' ? source.url : source.path;
}

async function planPage(
  ports: SourcePorts,
  { source, previous, limits }: SourceRequest & { readonly source: WebSource },
  signal: AbortSignal,
): Promise<SourcePlan> {
  const [kept] = previous;
  const known = kept && validatorsOf(kept);
  const answer = await ports.web.get({ url: source.url, ...(known && { known }) }, signal);
  if (answer.type === 'not-modified') return { kind: 'unchanged', source, previous };
  const { text, offers } = await readPage(ports, answer);
  const content = new TextEncoder().encode(text.endsWith('\n') ? text : `${text}\n`);
  if (text.trim() === '')
    throw new Fault('references/failed', `${source.url} has nothing to read in it.`, {
      hint: 'Pages that are made by scripts in a browser cannot be read; look for its source.',
    });
  if (content.length > limits.maxFileBytes)
    throw new Fault('references/too-large', `${source.url} is longer than ${limits.maxFileBytes} bytes.`, {
      hint: 'Take a page of a part of it, or raise references.max_file_bytes.',
    });
  if (kept?.sha256 === ports.hasher.sha256(content)) return { kind: 'unchanged', source, previous };
  return { kind: 'page', source, previous, page: answer, content, offers };
}

function validatorsOf({ url, etag, lastModified }: LockedFile): Validators | undefined {
  if (url === undefined || (etag === undefined && lastModified === undefined)) return undefined;
  return { url, ...(etag && { etag }), ...(lastModified && { lastModified }) };
}
