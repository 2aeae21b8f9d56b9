/** Whether what an entry rests on is still there. */

import type { Hasher } from '../../base/hasher.ts';
import type { Citation } from './entry.ts';
import { citedLines, type EvidencePorts, linesOf, sourceHash, sourceText } from './evidence.ts';
import { formatProvenance, type LineRange, type Provenance, parseProvenance } from './provenance.ts';
import type { Finding, Verdict } from './verdict.ts';

/** The workspace's repository, if it has one. */
export interface WorkspaceHistory {
  /** Undefined when there is no repository to ask. */
  hasCommit(commit: string): Promise<boolean | undefined>;
  /** Every rename that it tells of, oldest first. */
  renames(): Promise<readonly Rename[]>;
  /** Every file that the repository knows of or would. */
  files(): Promise<readonly string[]>;
}

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** The same history, asked for each thing once. */
export function rememberedHistory(history: WorkspaceHistory): WorkspaceHistory {
  let [renames, files]: [ReturnType<WorkspaceHistory['renames']>?, ReturnType<WorkspaceHistory['files']>?] =
    [];
  return {
    hasCommit: (commit) => history.hasCommit(commit),
    renames() {
      renames ??= history.renames();
      return renames;
    },
    files() {
      files ??= history.files();
      return files;
    },
  };
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
      return checkCommit(await ports.history.hasCommit(provenance.commit));
    case 'event':
      return found((await ports.ledger.hasEvent(provenance.eventId)) ? 'ok' : 'missing');
    case 'url':
    case 'ref':
      return checkSource(ports, provenance, citation.sha256);
    case 'cmd':
      return found('unchecked', 'commands are not run again');
    default:
      return found('unchecked', 'it is no provenance that ken knows');
  }
}

function checkCommit(isThere: boolean | undefined): Finding {
  if (isThere === undefined) return found('unchecked', 'the workspace has no git repository');
  return found(isThere ? 'ok' : 'missing');
}

async function checkSource(
  ports: CheckPorts,
  provenance: Extract<Provenance, { scheme: 'url' | 'ref' }>,
  sha256: string | undefined,
): Promise<Finding> {
  const source = await sourceText(ports, provenance);
  if (source.kind === 'gone') return found('missing');
  if (source.kind === 'unknown') return found('unchecked', 'the reference library has no copy of it');
  if (sha256 === undefined) return found('unchecked', 'there was no copy of it when it was cited');
  return found(sourceHash(ports, source.text) === sha256 ? 'ok' : 'changed');
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
    ? theOnly(
        rangesWith(ports.hasher, text, file.lines, sha256).map((lines) => ({ ...file, lines })),
        'changed',
      )
    : found('changed');
}

/** The file is gone: first where its renames lead, then anywhere. */
async function elsewhere(ports: CheckPorts, file: File, sha256: string): Promise<Finding> {
  const renamed = await placesIn(ports, namesAfter(await ports.history.renames(), file.path), file, sha256);
  const places =
    renamed.length > 0 ? renamed : await placesIn(ports, await ports.history.files(), file, sha256);
  return theOnly(places, 'missing');
}

/** What a file became. */
function namesAfter(renames: readonly Rename[], path: string): string[] {
  const names = new Set([path]);
  for (const { from, to } of renames) if (names.has(from)) names.add(to);
  names.delete(path);
  return [...names];
}

async function placesIn(
  ports: CheckPorts,
  paths: readonly string[],
  file: File,
  sha256: string,
): Promise<File[]> {
  const places: File[] = [];
  for (const path of paths) {
    const text = await ports.evidence.read(path);
    if (text === undefined) continue;
    if (file.lines) {
      const ranges = rangesWith(ports.hasher, text, file.lines, sha256);
      places.push(...ranges.map((lines) => ({ ...file, path, lines })));
    } else if (ports.hasher.sha256(citedLines(text, undefined) ?? '') === sha256) {
      places.push({ ...file, path });
    }
    if (places.length > 1) break;
  }
  return places;
}

/** Several places are as good as none: nobody knows which was meant. */
function theOnly(places: readonly File[], otherwise: Verdict): Finding {
  const [place, second] = places;
  if (second) return found('changed', 'the same lines stand in several places');
  return place ? { ...found('moved'), movedTo: formatProvenance(place) } : found(otherwise);
}

/** Where as many lines as were cited have the hash; at most two, since more make no difference. */
function rangesWith(hasher: Hasher, text: string, { first, last }: LineRange, sha256: string): LineRange[] {
  const lines = linesOf(text);
  const count = last - first + 1;
  const ranges: LineRange[] = [];
  for (let at = 0; at + count <= lines.length && ranges.length < 2; at++) {
    if (hasher.sha256(lines.slice(at, at + count).join('\n')) === sha256)
      ranges.push({ first: at + 1, last: at + count });
  }
  return ranges;
}
