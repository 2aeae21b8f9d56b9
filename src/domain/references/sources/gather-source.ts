import { Fault } from '../../../base/fault.ts';
import type { Hasher } from '../../../base/hasher.ts';
import type { DocumentReader } from '../../chunks/document-text.ts';
import type { PageLink } from '../../web/markdown-links.ts';
import type { FetchLimits } from '../lifecycle/topic-request.ts';
import { fileText } from '../topic/file-text.ts';
import { pageFileName } from '../topic/layout.ts';
import type { StagedTopic } from '../topic/library.ts';
import type { LockedFile, SkippedFile, TopicLock } from '../topic/lock.ts';
import { addressOf, type TopicSource } from '../topic/topic.ts';
import type { GitFile } from './git-reader.ts';
import { licenceOf } from './licence-of.ts';
import type { PagePlan, SourcePlan, TreePlan } from './plan-source.ts';
import { addSkips, countSkips, judgeContent, type SkipCounts, type SkipReason } from './skip.ts';

export interface GatherRequest {
  readonly staged: StagedTopic;
  /** Slug of the topic whose files may be reused; undefined for a new topic. */
  readonly slug: string | undefined;
  readonly limits: FetchLimits;
  readonly now: number;
  /** Nobody is asked: what the operator approved stays as it was. */
  readonly isUnasked?: boolean | undefined;
  /** File names already in use. */
  readonly taken: Set<string>;
  onFile?(): void;
}

export interface GatheredSource {
  readonly source: TopicSource;
  readonly files: readonly LockedFile[];
  /** Files that are damaged or missing and could not be fetched again. They stay in the lock. */
  readonly lost: readonly LockedFile[];
  readonly passedOver: readonly SkippedFile[];
  readonly skipped: SkipCounts;
  readonly warnings: readonly string[];
  readonly offers?: readonly PageLink[];
  readonly fault?: Fault;
}

export function lockOf(gathered: readonly GatheredSource[]): TopicLock {
  return {
    files: gathered.flatMap(({ files, lost }) => [...files, ...lost]),
    skipped: gathered.flatMap(({ passedOver }) => passedOver),
  };
}

type GatherPorts = { readonly hasher: Hasher; readonly documents: DocumentReader };

/** On failure removes what it wrote and falls back to the source's old files. */
export async function gatherSource(
  ports: GatherPorts,
  plan: SourcePlan,
  request: GatherRequest,
  signal: AbortSignal,
): Promise<GatheredSource> {
  if (plan.kind === 'failed') return { ...(await keepOld(ports, plan, request)), fault: plan.fault };
  if (plan.kind === 'unchanged') {
    const kept = await keepOld(ports, plan, request);
    return { ...kept, ...refreshed(kept.source, kept.files, request.now) };
  }
  const written: string[] = [];
  try {
    if (plan.kind === 'page') return await gatherPage(ports, plan, request, written);
    return await gatherTree(ports, plan, request, written, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Fault) || error.code.startsWith('files/')) throw error;
    for (const path of written) {
      await request.staged.drop(path);
      request.taken.delete(path);
    }
    return { ...(await keepOld(ports, plan, request)), fault: error };
  } finally {
    if (plan.kind === 'tree') await plan.tree.close();
  }
}

/** Files keep the commit at which they were first fetched. */
function refreshed(source: TopicSource, files: readonly LockedFile[], now: number) {
  return { source: { ...source, fetchedAt: now }, files: files.map((file) => ({ ...file, fetchedAt: now })) };
}

async function keepOld(
  { hasher }: GatherPorts,
  { source, before }: Pick<SourcePlan, 'source' | 'before'>,
  { staged, slug, taken }: GatherRequest,
): Promise<GatheredSource> {
  const carry = async (file: LockedFile) => {
    // A repository's file may already have the page's name.
    const isTaken = source.type === 'web' && taken.has(file.path);
    const path = isTaken ? pageFileName(hasher, source.url, (name) => taken.has(name)) : file.path;
    const isCarried = slug !== undefined && (await staged.carry({ slug, path: file.path }, path));
    taken.add(path);
    return { isCarried, file: { ...file, path } };
  };
  const files: LockedFile[] = [];
  for (const file of before.intact) {
    const { isCarried, file: kept } = await carry(file);
    if (!isCarried) throw changedMeanwhile(file);
    files.push(kept);
  }
  const lost: LockedFile[] = [];
  for (const file of before.lost) lost.push((await carry(file)).file);
  return { source, files, lost, passedOver: before.skipped, skipped: {}, warnings: [] };
}

function changedMeanwhile({ path }: LockedFile): Fault {
  return new Fault('references/busy', `${path} was changed by another process meanwhile.`, {
    hint: 'Nothing was changed here; try again.',
  });
}

async function gatherTree(
  ports: GatherPorts,
  plan: TreePlan,
  request: GatherRequest,
  written: string[],
  signal: AbortSignal,
): Promise<GatheredSource> {
  const { tree, directory, source } = plan;
  const files: LockedFile[] = [];
  const passedOver: SkippedFile[] = [...plan.passedOver];
  const reasons: SkipReason[] = [];
  const again: GitFile[] = [];
  const add = (file: LockedFile) => {
    files.push(file);
    written.push(file.path);
    request.taken.add(file.path);
    request.onFile?.();
  };
  for (const { file, from } of plan.carried) {
    const path = `${directory}${file.path}`;
    const isThere =
      request.slug !== undefined &&
      (await request.staged.carry({ slug: request.slug, path: from.path }, path));
    if (!isThere) again.push(file);
    else if (path === from.path) add({ ...from, fetchedAt: request.now });
    else add({ ...from, ...versionOfTree(plan), path, fetchedAt: request.now });
  }
  const wanted = [...again, ...plan.wanted];
  const { maxFileBytes } = request.limits;
  for await (const { file, bytes, sizeBytes, isUnreadable } of tree.read(wanted, { maxFileBytes })) {
    signal.throwIfAborted();
    const reason = bytes ? await judge(ports, file.path, bytes) : 'too_large';
    const path = `${directory}${file.path}`;
    if (isUnreadable) reasons.push('unreadable');
    else if (reason || !bytes) {
      reasons.push(reason ?? 'too_large');
      const what = { oid: file.oid, bytes: sizeBytes, reason: reason ?? 'too_large' };
      passedOver.push({ path, source: addressOf(source), ...what });
    } else if ((await request.staged.write(path, bytes)) === 'taken') reasons.push('unusable_name');
    else add({ ...lockLine(ports, plan, path, bytes, request.now), oid: file.oid });
  }
  return {
    source: approvedNow(
      { ...source, ...versionOfTree(plan), fetchedAt: request.now },
      { files, plan, request },
    ),
    files,
    lost: [],
    passedOver,
    skipped: addSkips(plan.skipped, countSkips(reasons)),
    warnings: plan.warnings,
  };
}

/** A document counts as unreadable when it has no text. */
async function judge(ports: GatherPorts, path: string, bytes: Uint8Array): Promise<SkipReason | undefined> {
  return judgeContent(path, bytes) ?? ((await fileText(ports, path, bytes)).ok ? undefined : 'unreadable');
}

function approvedNow(
  source: TopicSource,
  { files, plan, request }: { files: readonly LockedFile[]; plan?: TreePlan; request: GatherRequest },
): TopicSource {
  if (request.isUnasked) return source;
  const licence = plan && licenceOf(plan);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { ...source, approved: { files: files.length, bytes, ...(licence !== undefined && { licence }) } };
}

function versionOfTree({ tree }: TreePlan): { commit?: string } {
  return tree.commit === '' ? {} : { commit: tree.commit };
}

function lockLine(
  { hasher }: GatherPorts,
  plan: TreePlan,
  path: string,
  bytes: Uint8Array,
  now: number,
): LockedFile {
  return {
    path,
    source: addressOf(plan.source),
    ...versionOfTree(plan),
    sha256: hasher.sha256(bytes),
    bytes: bytes.length,
    fetchedAt: now,
  };
}

async function gatherPage(
  ports: GatherPorts,
  { source, before: kept, page, content, offers }: PagePlan,
  request: GatherRequest,
  written: string[],
): Promise<GatheredSource> {
  const { staged, taken, now, onFile } = request;
  const before = (kept.intact[0] ?? kept.lost[0])?.path;
  const isFree = before !== undefined && !taken.has(before);
  const path = isFree ? before : pageFileName(ports.hasher, source.url, (name) => taken.has(name));
  if ((await staged.write(path, content)) === 'taken')
    throw new Fault('references/failed', `${source.url} cannot be kept as ${path}: the name is taken.`);
  written.push(path);
  taken.add(path);
  onFile?.();
  const { url, etag, lastModified } = page.validators;
  const file: LockedFile = {
    path,
    source: source.url,
    url,
    ...(etag && { etag }),
    ...(lastModified && { lastModified }),
    sha256: ports.hasher.sha256(content),
    bytes: content.length,
    fetchedAt: now,
  };
  const nothing = { lost: [], passedOver: [], skipped: {}, warnings: [] };
  const fetched = approvedNow({ ...source, fetchedAt: now }, { files: [file], request });
  return { source: fetched, files: [file], ...nothing, offers };
}
