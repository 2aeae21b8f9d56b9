/** The content behind a citation. */

import type { Hasher } from '../../../base/hasher.ts';
import type { Citation } from '../entry/entry.ts';
import {
  formatProvenance,
  type IsCitationUri,
  type LineRange,
  type Provenance,
} from '../entry/provenance.ts';

/** Reads what citations of this workspace point to. */
export interface EvidenceFiles {
  /** The text of a file of the workspace; undefined when it is not there, not text, or leads out of it. */
  read(path: string): Promise<string | undefined>;
}

/** What citations name that is no file of the workspace: subjects, turns, entries, and what the library keeps. */
export interface CitedSource {
  /** Exactly the lines that a citation URI names, as they are now. */
  lines(uri: string): Promise<SourceText>;
  /** The library's copy of a web page. Nothing is fetched. */
  page(url: string): Promise<SourceText>;
  /** Where what a citation URI names may stand by now; undefined for what does not move. */
  places(uri: string): Promise<CitedPlaces | undefined>;
}

export interface CitedPlaces {
  /** Those that the URI names; absent: the whole text. */
  readonly lines: LineRange | undefined;
  /** Its own text if that is there, else those beside it. */
  readonly places: readonly CitedPlace[];
}

export interface CitedPlace {
  read(): Promise<string | undefined>;
  /** The name of these lines of it. */
  at(lines: LineRange | undefined): string;
}

/** `gone`: there is nothing there any more. `unknown`: there is nobody here who could tell. */
export type SourceText =
  | { readonly kind: 'there'; readonly text: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown' };

/** Where nothing but files can be looked at. */
export const NO_SOURCE: CitedSource = {
  lines: async () => ({ kind: 'unknown' }),
  page: async () => ({ kind: 'unknown' }),
  places: async () => undefined,
};

export interface EvidencePorts {
  readonly evidence: EvidenceFiles;
  readonly citedSource: CitedSource;
  readonly hasher: Hasher;
  readonly isCitationUri: IsCitationUri;
}

/** The same files as they were when first read, for many looks in a row. */
export function rememberedEvidence(evidence: EvidenceFiles): EvidenceFiles {
  const known = new Map<string, Promise<string | undefined>>();
  let letters = 0;
  return {
    async read(path) {
      const text = known.get(path) ?? evidence.read(path);
      if (!known.has(path)) letters += (await text)?.length ?? 0;
      if (letters > MOST_REMEMBERED) {
        known.clear();
        letters = 0;
      }
      known.set(path, text);
      return text;
    },
  };
}

const MOST_REMEMBERED = 64 * 1024 * 1024;

/** The citation, with the hash of what it cites now. */
export async function citeEvidence(ports: EvidencePorts, provenance: Provenance): Promise<Citation> {
  return { provenance: formatProvenance(provenance), sha256: await hashOf(ports, provenance) };
}

async function hashOf(ports: EvidencePorts, provenance: Provenance): Promise<string | undefined> {
  if (provenance.scheme === 'url' || provenance.scheme === 'ref') {
    const source = await sourceText(ports, provenance);
    return source.kind === 'there' ? sourceHash(ports, source.text) : undefined;
  }
  if (provenance.scheme !== 'file') return undefined;
  const text = await ports.evidence.read(provenance.path);
  const cited = text === undefined ? undefined : citedLines(text, provenance.lines);
  return cited === undefined ? undefined : ports.hasher.sha256(cited);
}

export function sourceText(
  { citedSource }: Pick<EvidencePorts, 'citedSource'>,
  provenance: Extract<Provenance, { scheme: 'url' | 'ref' }>,
): Promise<SourceText> {
  return provenance.scheme === 'url' ? citedSource.page(provenance.url) : citedSource.lines(provenance.uri);
}

/** Line ends made alike, as for files. */
export function sourceHash({ hasher }: Pick<EvidencePorts, 'hasher'>, text: string): string {
  return hasher.sha256(linesOf(text.replace(/\r$/, '')).join('\n'));
}

/** The lines with plain line ends; undefined when the file does not reach that far. */
export function citedLines(text: string, range: LineRange | undefined): string | undefined {
  const lines = linesOf(text);
  if (!range) return lines.join('\n');
  return range.last > lines.length ? undefined : lines.slice(range.first - 1, range.last).join('\n');
}

/** A line end at the end of the file begins no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
