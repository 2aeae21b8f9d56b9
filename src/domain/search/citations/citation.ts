import { Fault } from '../../../base/fault.ts';
import { type LineRange, lineAnchor } from '../../../base/text.ts';
import type { PartRange, PartUnit } from '../../chunks/chunk.ts';

export type Citation = (
  | { readonly kind: 'subject'; readonly topic: string; readonly slug: string }
  | {
      readonly kind: 'reference';
      readonly topicId: string;
      /** Commit, or the first 12 hexadecimal digits of a page's SHA-256. */
      readonly version: string;
      readonly path: string;
    }
  | { readonly kind: 'entry'; readonly id: string; readonly version?: number }
  | { readonly kind: 'turn'; readonly conversation: string; readonly turn?: number }
) & {
  readonly lines?: LineRange;
  /** Pages, sections or cells of a document that has them; `lines` come first. */
  readonly parts?: PartRange;
  /** At least twelve digits. */
  readonly sha256?: string;
};

export function formatCitation(citation: Citation): string {
  const digest = citation.sha256 === undefined ? '' : `?sha256=${citation.sha256}`;
  return `ken://${placeOf(citation)}${digest}${anchorOf(citation)}`;
}

/** Undefined for anything that `formatCitation` cannot have written. */
export function parseCitation(uri: string): Citation | undefined {
  const match =
    /^ken:\/\/(kb|ref|entry|conversation)\/([^#?]+)(?:\?sha256=([0-9a-f]{12,64}))?(?:#(.+))?$/.exec(uri);
  if (!match) return undefined;
  const [, area = '', place = '', sha256, anchor] = match;
  try {
    const citation = READERS[area]?.(place, anchor);
    return citation && sha256 !== undefined ? { ...citation, sha256 } : citation;
  } catch {
    // A segment contains a stray %.
    return undefined;
  }
}

export function isCitationUri(text: string): boolean {
  return parseCitation(text) !== undefined;
}

/** A Fault for a text that is not a citation. */
export function requireCitation(uri: string): Citation {
  const citation = parseCitation(uri);
  if (citation) return citation;
  const isUnversioned = /^ken:\/\/ref\/[^@/]+\//.test(uri);
  throw new Fault('search/bad-citation', `"${uri}" is not a citation.`, {
    hint: isUnversioned
      ? 'A reference is cited with its commit: ken://ref/TOPIC@COMMIT/PATH; "ken search --uri" prints it.'
      : 'They look like ken://kb/project/deploy#L3-L9; "ken search --uri" prints them.',
  });
}

/** Adds the digest that a hit has beside its address; a Fault when it is invalid. */
export function citedWith(citation: Citation, sha256: string | undefined): Citation {
  if (sha256 === undefined) return citation;
  const digits = sha256.toLowerCase();
  if (/^[0-9a-f]{12,64}$/.test(digits)) return { ...citation, sha256: digits };
  throw new Fault('search/bad-citation', `"${sha256}" is not a SHA-256.`, {
    hint: 'Give 64 hexadecimal digits, or the first twelve and more; "ken search --json" prints them.',
  });
}

function placeOf(citation: Citation): string {
  switch (citation.kind) {
    case 'subject':
      return `kb/${encode(citation.topic)}/${encodePath(citation.slug)}`;
    case 'reference':
      return `ref/${encode(citation.topicId)}@${encode(citation.version)}/${encodePath(citation.path)}`;
    case 'entry':
      return `entry/${encodePath(citation.id)}${citation.version === undefined ? '' : `@v${citation.version}`}`;
    case 'turn':
      return `conversation/${encode(citation.conversation)}`;
  }
}

function anchorOf(citation: Citation): string {
  if (citation.kind === 'turn') return citation.turn === undefined ? '' : `#turn-${citation.turn}`;
  const { lines, parts } = citation;
  if (lines || !parts) return lineAnchor(lines);
  const { unit, first, last } = parts;
  return first === last ? `#${unit}-${first}` : `#${unit}-${first}-${last}`;
}

type Reader = (place: string, anchor: string | undefined) => Citation | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  kb(place, anchor) {
    const [, topic, slug] = /^([^/]+)\/(.+)$/.exec(place) ?? [];
    const lines = anchorIn(anchor);
    if (!topic || !slug || lines === 'bad') return undefined;
    return { kind: 'subject', topic: decode(topic), slug: decodePath(slug), ...lines };
  },
  ref(place, anchor) {
    const [, topicId, version, path] = /^([^/@]+)@([^/]+)\/(.+)$/.exec(place) ?? [];
    const lines = anchorIn(anchor);
    if (!topicId || !version || !path || lines === 'bad') return undefined;
    return {
      kind: 'reference',
      topicId: decode(topicId),
      version: decode(version),
      path: decodePath(path),
      ...lines,
    };
  },
  entry(place, anchor) {
    const [, id, version] = /^([^@]+?)(?:@v(\d{1,9}))?$/.exec(place) ?? [];
    const lines = anchorIn(anchor);
    if (!id || lines === 'bad' || lines.parts) return undefined;
    return { kind: 'entry', id: decodePath(id), ...(version && { version: Number(version) }), ...lines };
  },
  conversation(place, anchor) {
    const turn = anchor === undefined ? undefined : /^turn-(\d{1,9})$/.exec(anchor)?.[1];
    if (place.includes('/') || (anchor !== undefined && turn === undefined)) return undefined;
    return { kind: 'turn', conversation: decode(place), ...(turn && { turn: Number(turn) }) };
  },
};

type Anchor = Pick<Citation, 'lines' | 'parts'>;

function anchorIn(anchor: string | undefined): Anchor | 'bad' {
  if (anchor === undefined) return {};
  const [, unit, part, lastPart = part] = /^([a-z]+)-(\d{1,6})(?:-(\d{1,6}))?$/.exec(anchor) ?? [];
  if (isPartUnit(unit)) {
    const parts = { unit, first: Number(part), last: Number(lastPart) };
    return parts.first >= 1 && parts.last >= parts.first ? { parts } : 'bad';
  }
  const [, first, last] = /^L(\d{1,9})(?:-L(\d{1,9}))?$/.exec(anchor) ?? [];
  const from = Number(first);
  const to = Number(last ?? first);
  return first && from >= 1 && to >= from ? { lines: { first: from, last: to } } : 'bad';
}

function isPartUnit(word: string | undefined): word is PartUnit {
  return word === 'page' || word === 'section' || word === 'cell';
}

/** Also encodes `@`, which ends an id, and `#`, which begins an anchor. */
function encode(segment: string): string {
  return encodeURIComponent(segment.toWellFormed());
}

/** Encodes empty segments and dots too, which would be read as another path. */
function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) =>
      segment === '.' || segment === '..' ? segment.replaceAll('.', '%2E') : encode(segment),
    )
    .join('/');
}

function decode(segment: string): string {
  return decodeURIComponent(segment);
}

function decodePath(path: string): string {
  return path.split('/').map(decode).join('/');
}
