import { Fault } from '../../../base/fault.ts';
import type { Hasher } from '../../../base/hasher.ts';
import type { DocumentReader } from '../../chunks/document-text.ts';
import type { PageLink } from '../../web/markdown-links.ts';
import { type HtmlConverter, readPage } from '../../web/read-page.ts';
import { parseWebAddress } from '../../web/web-address.ts';
import type { Validators, WebClient, WebPage } from '../../web/web-client.ts';
import type { FetchLimits } from '../lifecycle/topic-request.ts';
import type { KeptState } from '../topic/inspect-files.ts';
import type { LockedFile, SkippedFile } from '../topic/lock.ts';
import {
  addressOf,
  type GitSource,
  type LocalSource,
  type TopicSource,
  type WebSource,
} from '../topic/topic.ts';
import { fileNameProblem } from './file-name.ts';
import type { GitFile, GitReader, GitTree, LocalDirectories } from './git-reader.ts';
import { selectTree } from './select-files.ts';
import { addSkips, countSkips, extensionOf, type SkipCounts } from './skip.ts';

export interface SourcePorts {
  readonly gitReader: GitReader;
  readonly localDirectories: LocalDirectories;
  readonly web: WebClient;
  readonly html: HtmlConverter;
  readonly hasher: Hasher;
  readonly documents: DocumentReader;
}

export interface SourceRequest {
  readonly source: TopicSource;
  /** Directory of its files, below the topic's. */
  readonly directory: string;
  readonly before: KeptState;
  /** Files are missing, so it is checked even if its version is unchanged. */
  readonly isIncomplete: boolean;
  readonly limits: FetchLimits;
  /** Nobody is asked: only hosts that the source was fetched from before are contacted. */
  readonly isUnasked?: boolean | undefined;
  onReceived?(bytes: number): void;
}

export type SourcePlan = UnchangedPlan | FailedPlan | TreePlan | PagePlan;

/** The source has not changed. */
export interface UnchangedPlan {
  readonly kind: 'unchanged';
  readonly source: TopicSource;
  readonly before: KeptState;
}

/** The source could not be read; its old files stay. */
export interface FailedPlan {
  readonly kind: 'failed';
  readonly source: TopicSource;
  readonly before: KeptState;
  readonly fault: Fault;
}

export interface TreePlan {
  readonly kind: 'tree';
  readonly source: GitSource | LocalSource;
  readonly directory: string;
  readonly before: KeptState;
  /** Open; the caller closes it. */
  readonly tree: GitTree;
  /** Content that is stored already, under this name or another. */
  readonly carried: readonly { readonly file: GitFile; readonly from: LockedFile }[];
  readonly wanted: readonly GitFile[];
  /** Content that was skipped before and would be skipped again. */
  readonly passedOver: readonly SkippedFile[];
  /** Number of skipped files by reason. */
  readonly skipped: SkipCounts;
  readonly warnings: readonly string[];
}

export interface PagePlan {
  readonly kind: 'page';
  readonly source: WebSource;
  readonly before: KeptState;
  readonly page: WebPage;
  readonly content: Uint8Array;
  /** Pages that a list of pages names; reported, not fetched. */
  readonly offers: readonly PageLink[];
}

/** Throws only on abort or for a bug. */
export async function planSource(
  ports: SourcePorts,
  request: SourceRequest,
  signal: AbortSignal,
): Promise<SourcePlan> {
  const { source, before } = request;
  try {
    if (source.type === 'web') return await planPage(ports, { ...request, source }, signal);
    if (source.type === 'local')
      return await planTree(request, source, await ports.localDirectories.open(source.path));
    return await planRepository(ports, request, source, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Fault)) throw error;
    return { kind: 'failed', source, before, fault: error };
  }
}

async function planRepository(
  { gitReader }: SourcePorts,
  request: SourceRequest,
  source: GitSource,
  signal: AbortSignal,
): Promise<SourcePlan> {
  const { before, isIncomplete, onReceived } = request;
  if (source.commit !== undefined && !isIncomplete) {
    const head = await gitReader.head(source, signal);
    if (head === source.commit) return { kind: 'unchanged', source, before };
  }
  const progress = ({ receivedBytes }: { receivedBytes: number }) => onReceived?.(receivedBytes);
  return planTree(request, source, await gitReader.open(source, { progress }, signal));
}

async function planTree(
  request: SourceRequest,
  source: GitSource | LocalSource,
  tree: GitTree,
): Promise<TreePlan> {
  try {
    const { directory, before } = request;
    const paths = source.type === 'git' ? source.paths : [];
    const { selected, skipped, unmatchedPaths } = await selectTree(tree, paths);
    const usable = selected.filter(({ path }) => !fileNameProblem(`${directory}${path}`));
    const unusable = selected.length - usable.length;
    const { passedOver, ...found } = compare(usable, request);
    return {
      kind: 'tree',
      source,
      directory,
      before,
      tree,
      ...found,
      passedOver,
      skipped: addSkips(
        skipped,
        unusable > 0 ? { unusable_name: unusable } : {},
        countSkips(passedOver.map(({ reason }) => reason)),
      ),
      warnings: unmatchedPaths.map((path) => `${addressOf(source)}: nothing matches the path ${path}`),
    };
  } catch (error) {
    await tree.close();
    throw error;
  }
}

function compare(
  files: readonly GitFile[],
  { directory, before, limits }: SourceRequest,
): Pick<TreePlan, 'carried' | 'wanted' | 'passedOver'> {
  const byPath = new Map(before.intact.map((file) => [file.path, file]));
  const byOid = new Map(before.intact.map((file) => [file.oid, file]));
  const skip = knownSkips(before.skipped, limits);
  const carried: TreePlan['carried'][number][] = [];
  const wanted: GitFile[] = [];
  const passedOver: SkippedFile[] = [];
  for (const file of files) {
    const path = `${directory}${file.path}`;
    const same = byPath.get(path);
    const from = same?.oid === file.oid ? same : byOid.get(file.oid);
    const skipped = skip(file);
    if (from) carried.push({ file, from });
    else if (skipped) passedOver.push({ ...skipped, path });
    else wanted.push(file);
  }
  return { carried, wanted, passedOver };
}

async function planPage(
  ports: SourcePorts,
  { source, before, limits, isUnasked }: SourceRequest & { readonly source: WebSource },
  signal: AbortSignal,
): Promise<SourcePlan> {
  const [kept] = before.intact;
  const known = kept && validatorsOf(kept);
  const onlyHosts = isUnasked && [source.url, ...before.intact.flatMap(({ url }) => url ?? [])].map(hostOf);
  const request = { url: source.url, ...(known && { known }), ...(onlyHosts && { onlyHosts }) };
  const answer = await ports.web.get(request, signal);
  if (answer.type === 'not-modified') return { kind: 'unchanged', source, before };
  const { text, offers } = await readPage(ports, answer);
  const content = new TextEncoder().encode(text.endsWith('\n') ? text : `${text}\n`);
  if (text.trim() === '')
    throw new Fault('references/failed', `${source.url} contains no text.`, {
      hint: 'ken cannot read pages that scripts build in the browser; look for their source.',
    });
  if (content.length > limits.maxFileBytes)
    throw new Fault('references/too-large', `${source.url} is longer than ${limits.maxFileBytes} bytes.`, {
      hint: 'Take a page of a part of it, or raise references.max_file_bytes.',
    });
  if (kept?.sha256 === ports.hasher.sha256(content)) return { kind: 'unchanged', source, before };
  return { kind: 'page', source, before, page: answer, content, offers };
}

function hostOf(url: string): string {
  return parseWebAddress(url).host.text;
}

function validatorsOf({ url, etag, lastModified }: LockedFile): Validators | undefined {
  if (url === undefined || (etag === undefined && lastModified === undefined)) return undefined;
  return { url, ...(etag && { etag }), ...(lastModified && { lastModified }) };
}

/** Finds files to skip again without reading them, by object id, extension and size limit. */
function knownSkips(
  skipped: readonly SkippedFile[],
  { maxFileBytes }: { readonly maxFileBytes: number },
): (file: GitFile) => SkippedFile | undefined {
  const key = (oid: string, path: string) => `${oid} ${extensionOf(path)}`;
  const isStillSo = ({ bytes, reason }: SkippedFile) => bytes > maxFileBytes === (reason === 'too_large');
  const known = new Map(skipped.filter(isStillSo).map((each) => [key(each.oid, each.path), each]));
  return ({ oid, path }) => known.get(key(oid, path));
}
