import type { Hasher } from '../../../base/hasher.ts';
import { joinedLines, type LineRange, linesOf } from '../../../base/text.ts';
import type { Citation } from '../entry/entry.ts';
import { formatProvenance, type IsCitationUri, type Provenance } from '../entry/provenance.ts';

export interface EvidenceFiles {
  /** Text of a file; undefined when it is missing, not text, or outside the workspace. */
  read(path: string): Promise<string | undefined>;
}

/** Reads citations other than files: subjects, turns, entries and the library. */
export interface CitedSource {
  lines(uri: string): Promise<SourceText>;
  /** The library's copy of a web page. Fetches nothing. */
  page(url: string): Promise<SourceText>;
  /** Places where the cited text may be now; undefined for kinds that do not move. */
  places(uri: string): Promise<CitedPlaces | undefined>;
}

export interface CitedPlaces {
  /** Lines that the URI names; undefined: the whole text. */
  readonly lines: LineRange | undefined;
  /** Its own text if it exists, otherwise its neighbours. */
  readonly places: readonly CitedPlace[];
}

export interface CitedPlace {
  read(): Promise<string | undefined>;
  at(lines: LineRange | undefined): string;
}

/** `gone`: the content no longer exists. `unknown`: it cannot be checked here. */
export type SourceText =
  | { readonly kind: 'there'; readonly text: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown' };

/** For workspaces in which only files can be checked. */
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

const MOST_REMEMBERED = 8 * 1024 * 1024;

/** Cites the evidence with the hash of its present content. */
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

/** Hash with normalised line ends, as for files. */
export function sourceHash({ hasher }: Pick<EvidencePorts, 'hasher'>, text: string): string {
  return hasher.sha256(fileLines(text.replace(/\r$/, '')).join('\n'));
}

/** The lines with plain line ends; undefined when the file does not reach that far. */
export function citedLines(text: string, range: LineRange | undefined): string | undefined {
  const lines = fileLines(text);
  return range && range.last > lines.length ? undefined : joinedLines(lines, range);
}

/** Accepts line ends of Windows too. */
export function fileLines(text: string): string[] {
  return linesOf(text, /\r?\n/);
}
