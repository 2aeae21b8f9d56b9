import { Fault } from '../../../base/fault.ts';
import type { Hasher } from '../../../base/hasher.ts';
import type { LineRange } from '../../../base/text.ts';
import type { Citation, Entry, Finding, Verdict } from '../entry/entry.ts';
import { formatProvenance, type Provenance, parseProvenance } from '../entry/provenance.ts';
import {
  type CitedPlaces,
  citedLines,
  type EvidencePorts,
  fileLines,
  sourceHash,
  sourceText,
} from './evidence.ts';

export interface WorkspaceHistory {
  /** The existing commits among `asked`, possibly with others; undefined without a repository. */
  commitsAmong(asked: readonly string[]): Promise<ReadonlySet<string> | undefined>;
  renames(): Promise<readonly Rename[]>;
  files(): Promise<readonly string[]>;
  /** Files at a path, or below it, that are in the index of git. */
  tracked(path: string): Promise<readonly string[]>;
  /** Commits in which one of the texts comes or goes, newest first, with their subjects. */
  commitsWith(texts: readonly string[]): Promise<readonly string[]>;
  /** The newest committed text of a file that fits, among its last 50 changes. */
  committed(path: string, fits: (text: string) => boolean): Promise<string | undefined>;
}

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** Asks about all commits that these entries cite in one call. */
export function withCommitsOf(history: WorkspaceHistory, entries: readonly Entry[]): WorkspaceHistory {
  let commits: ReturnType<WorkspaceHistory['commitsAmong']> | undefined;
  return {
    ...history,
    commitsAmong() {
      commits ??= history.commitsAmong(commitsCitedBy(entries));
      return commits;
    },
  };
}

/** Asks for renames and files once. */
export function rememberedHistory(history: WorkspaceHistory): WorkspaceHistory {
  let [renames, files]: [ReturnType<WorkspaceHistory['renames']>?, ReturnType<WorkspaceHistory['files']>?] =
    [];
  return {
    commitsAmong: (asked) => history.commitsAmong(asked),
    renames() {
      renames ??= history.renames();
      return renames;
    },
    files() {
      files ??= history.files();
      return files;
    },
    tracked: (path) => history.tracked(path),
    commitsWith: (texts) => history.commitsWith(texts),
    committed: (path, fits) => history.committed(path, fits),
  };
}

function commitsCitedBy(entries: readonly Entry[]): string[] {
  const cited = entries.flatMap(({ citations }) => citations.map(({ provenance }) => provenance));
  return [...new Set(cited.flatMap((text) => /^commit:([0-9a-f]+)$/.exec(text)?.[1] ?? []))];
}

export interface CheckPorts extends EvidencePorts {
  readonly history: WorkspaceHistory;
  readonly ledger: { hasEvent(eventId: string): Promise<boolean> };
}

type File = Extract<Provenance, { scheme: 'file' }>;

export async function checkEvidence(ports: CheckPorts, citation: Citation): Promise<Finding> {
  const provenance = parseProvenance(citation.provenance, ports.isCitationUri);
  switch (provenance?.scheme) {
    case 'file':
      return checkFile(ports, provenance, citation.sha256);
    case 'commit':
      return checkCommit(await hasCommit(ports.history, provenance.commit));
    case 'event':
      return found((await ports.ledger.hasEvent(provenance.eventId)) ? 'ok' : 'missing');
    case 'url':
    case 'ref':
      return (await unlessUnreadable(checkSource(ports, provenance, citation.sha256))) ?? UNREADABLE;
    case 'cmd':
      return found('unchecked', 'commands are not run again');
    case 'person':
    case 'meeting':
      return found('unchecked', 'people are not asked again');
    default:
      return found('unchecked', 'ken does not know this kind of provenance');
  }
}

export async function hasCommit(
  history: Pick<WorkspaceHistory, 'commitsAmong'>,
  commit: string,
): Promise<boolean | undefined> {
  return (await history.commitsAmong([commit]))?.has(commit);
}

function checkCommit(isThere: boolean | undefined): Finding {
  if (isThere === undefined) return found('unchecked', 'the workspace has no git repository');
  return found(isThere ? 'ok' : 'missing');
}

/** Undefined for an unreadable source, so that the others are still checked. */
export async function unlessUnreadable<Answer>(looked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await looked;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

const UNREADABLE = found('unchecked', 'it cannot be read now; "ken show" says why');

async function checkSource(
  ports: CheckPorts,
  provenance: Extract<Provenance, { scheme: 'url' | 'ref' }>,
  sha256: string | undefined,
): Promise<Finding> {
  const source = await sourceText(ports, provenance);
  if (source.kind === 'unknown') return found('unchecked', 'the reference library has no copy of it');
  const isGone = source.kind === 'gone';
  if (sha256 === undefined)
    return isGone ? found('missing') : found('unchecked', 'there was no copy of it when it was cited');
  if (!isGone && sourceHash(ports, source.text) === sha256) return found('ok');
  const elsewhere = provenance.scheme === 'ref' ? await ports.citedSource.places(provenance.uri) : undefined;
  const places = elsewhere ? await placesIn(ports, elsewhere, sha256) : [];
  return theOnly(
    places.map((uri) => `ref:${uri}`),
    isGone ? 'missing' : 'changed',
  );
}

function found(verdict: Verdict, reason?: string): Finding {
  return { verdict, movedTo: undefined, reason };
}

async function checkFile(ports: CheckPorts, file: File, sha256: string | undefined): Promise<Finding> {
  const text = await ports.evidence.read(file.path);
  if (text === undefined) return sha256 === undefined ? found('missing') : elsewhere(ports, file, sha256);
  if (sha256 === undefined) return found('unchecked', 'it could not be read when it was cited');
  const cited = citedLines(text, file.lines);
  if (cited !== undefined && ports.hasher.sha256(cited) === sha256) return found('ok');
  return file.lines
    ? theOnly(await placesIn(ports, filePlaces(ports, file, [file.path]), sha256), 'changed')
    : found('changed');
}

export interface BeforeAndNow {
  /** Undefined when no committed version of the file holds it. */
  readonly before: string | undefined;
  /** Undefined when the file is gone, or ends before those lines. */
  readonly now: string | undefined;
}

/** The text that a citation of a file was about, and the text at the same place now. Undefined for other evidence. */
export async function beforeAndNow(
  ports: Pick<CheckPorts, 'evidence' | 'hasher' | 'history' | 'isCitationUri'>,
  { provenance, sha256 }: Citation,
): Promise<BeforeAndNow | undefined> {
  const file = parseProvenance(provenance, ports.isCitationUri);
  if (file?.scheme !== 'file' || sha256 === undefined) return undefined;
  const text = await ports.evidence.read(file.path);
  const now = text === undefined ? undefined : citedLines(text, file.lines);
  const isCited = (version: string) => {
    const before = citedLines(version, file.lines);
    return before !== undefined && ports.hasher.sha256(before) === sha256;
  };
  const version = await ports.history.committed(file.path, isCited);
  return { before: version === undefined ? undefined : citedLines(version, file.lines), now };
}

/** Looks for a missing file's lines: first along its renames, then in every file. */
async function elsewhere(ports: CheckPorts, file: File, sha256: string): Promise<Finding> {
  const names = namesAfter(await ports.history.renames(), file.path);
  const renamed = await placesIn(ports, filePlaces(ports, file, names), sha256);
  const anywhere = async () => placesIn(ports, filePlaces(ports, file, await ports.history.files()), sha256);
  return theOnly(renamed.length > 0 ? renamed : await anywhere(), 'missing');
}

function filePlaces({ evidence }: CheckPorts, file: File, paths: readonly string[]): CitedPlaces {
  const places = paths.map((path) => ({
    read: () => evidence.read(path),
    at: (lines: LineRange | undefined) => formatProvenance({ ...file, path, lines }),
  }));
  return { lines: file.lines, places };
}

function namesAfter(renames: readonly Rename[], path: string): string[] {
  const names = new Set([path]);
  for (const { from, to } of renames) if (names.has(from)) names.add(to);
  names.delete(path);
  return [...names];
}

/** Names of files that contain the cited lines; stops early, since more than one makes no difference. */
async function placesIn(
  { hasher }: CheckPorts,
  { lines, places }: CitedPlaces,
  sha256: string,
): Promise<string[]> {
  const names: string[] = [];
  for (const place of places) {
    const text = await place.read();
    if (text === undefined) continue;
    if (lines) names.push(...rangesWith(hasher, text, lines, sha256).map((range) => place.at(range)));
    else if (hasher.sha256(citedLines(text, undefined) ?? '') === sha256) names.push(place.at(undefined));
    if (names.length > 1) break;
  }
  return names;
}

/** The only place; several places are ambiguous and count as none. */
function theOnly(places: readonly string[], otherwise: Verdict): Finding {
  const [place, second] = places;
  if (second) return found('changed', 'the same lines stand in several places');
  return place ? { ...found('moved'), movedTo: place } : found(otherwise);
}

/** Ranges of the same length and hash; at most two, since more make no difference. */
function rangesWith(hasher: Hasher, text: string, { first, last }: LineRange, sha256: string): LineRange[] {
  const lines = fileLines(text);
  const count = last - first + 1;
  const ranges: LineRange[] = [];
  for (let at = 0; at + count <= lines.length && ranges.length < 2; at++) {
    if (hasher.sha256(lines.slice(at, at + count).join('\n')) === sha256)
      ranges.push({ first: at + 1, last: at + count });
  }
  return ranges;
}
