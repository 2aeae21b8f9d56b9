import { Fault } from '../../../base/fault.ts';
import { type LineRange, lineAnchor } from '../../../base/text.ts';

export type Provenance =
  /** A path in the workspace, with `/`; lines start at 1, both ends included. */
  | { readonly scheme: 'file'; readonly path: string; readonly lines: LineRange | undefined }
  | { readonly scheme: 'url'; readonly url: string }
  | { readonly scheme: 'cmd'; readonly command: string }
  | { readonly scheme: 'commit'; readonly commit: string }
  | { readonly scheme: 'event'; readonly eventId: string }
  /** Somebody said it: `ada`, `ada@2026-11-15`. */
  | { readonly scheme: 'person'; readonly said: string }
  /** It was agreed: `Planning@2026-11-15`. */
  | { readonly scheme: 'meeting'; readonly said: string }
  /** A citation URI. */
  | { readonly scheme: 'ref'; readonly uri: string };

/** The ledger does not know the grammar of citation URIs. */
export type IsCitationUri = (text: string) => boolean;

/** Undefined when the text is not provenance. */
export function parseProvenance(text: string, isCitationUri: IsCitationUri): Provenance | undefined {
  if (!text.isWellFormed() || CONTROL.test(text)) return undefined;
  const colon = text.indexOf(':');
  const rest = text.slice(colon + 1);
  switch (text.slice(0, Math.max(0, colon))) {
    case 'file':
      return fileProvenance(rest);
    case 'url':
      return /^\S+$/u.test(rest) ? { scheme: 'url', url: rest } : undefined;
    case 'cmd':
      return rest.trim() === '' ? undefined : { scheme: 'cmd', command: rest };
    case 'commit':
      return /^[0-9a-f]+$/.test(rest) ? { scheme: 'commit', commit: rest } : undefined;
    case 'event':
      return /^[A-Za-z0-9_]+$/.test(rest) ? { scheme: 'event', eventId: rest } : undefined;
    case 'person':
      return PERSON.test(rest) ? { scheme: 'person', said: rest } : undefined;
    case 'meeting':
      return MEETING.test(rest) ? { scheme: 'meeting', said: rest } : undefined;
    case 'ref':
      return isCitationUri(rest) ? { scheme: 'ref', uri: rest } : undefined;
    default:
      return undefined;
  }
}

const PERSON = /^[^\s@][^@]{0,199}(?:@\d{4}-\d\d-\d\d)?(?: \(told by [^()]{1,100}\))?$/u;
const MEETING = /^[^\s@][^@]{0,199}@\d{4}-\d\d-\d\d$/u;

/** An assistant says that a person said so; it counts less until the operator confirms it. */
export function toldBy(provenance: string, assistant: string): string {
  if (!provenance.startsWith('person:')) return provenance;
  return `${confirmedPerson(provenance)} (told by ${assistant.replace(/[()]/g, '')})`;
}

export function isTold(provenance: string): boolean {
  return TOLD.test(provenance);
}

export function confirmedPerson(provenance: string): string {
  return provenance.replace(TOLD, '');
}

const TOLD = /(?<=^person:.*) \(told by .*\)$/su;

/** Line ends, escapes, and characters that reorder or hide others. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export function requireProvenance(text: string, isCitationUri: IsCitationUri): Provenance {
  const provenance = parseProvenance(text, isCitationUri);
  if (provenance && !isScript(provenance)) return provenance;
  throw new Fault(
    'ledger/invalid',
    `Invalid provenance format: '${text}'. Must match scheme (file:|url:|cmd:|commit:|event:)`,
    { hint: HINTS[text.slice(0, text.indexOf(':') + 1)] ?? ANY_HINT },
  );
}

/** An address that runs code where somebody opens it. */
function isScript(provenance: Provenance): boolean {
  return provenance.scheme === 'url' && /^(?:javascript|vbscript|data):/i.test(provenance.url);
}

const ANY_HINT =
  'Write file:src/a.ts#L3-L9 for a file of the workspace, url:, cmd:, commit:, ref:ken://…, person:NAME or ' +
  'meeting:TITLE@2026-11-15.';

const HINTS: Readonly<Record<string, string>> = {
  'file:': 'A file is named relative to the workspace: file:src/a.ts#L3-L9.',
  'url:': 'Write the address of a page: url:https://example.org/page.',
  'cmd:': 'Write a command on one line: cmd:git log -1.',
  'commit:': 'commit: takes the hexadecimal id of a commit.',
  'event:': 'event: takes the id of an event of the ledger. For a decision, write meeting:TITLE@2026-11-15.',
  'ref:': 'ref: takes a citation, ken://…, as "ken search --uri" prints it.',
  'person:': 'Write person:NAME or person:NAME@2026-11-15.',
  'meeting:': 'Write meeting:TITLE@2026-11-15, with the day.',
};

export function formatProvenance(provenance: Provenance): string {
  switch (provenance.scheme) {
    case 'file':
      return `file:${provenance.path}${lineAnchor(provenance.lines)}`;
    case 'url':
      return `url:${provenance.url}`;
    case 'cmd':
      return `cmd:${provenance.command}`;
    case 'commit':
      return `commit:${provenance.commit}`;
    case 'event':
      return `event:${provenance.eventId}`;
    case 'person':
    case 'meeting':
      return `${provenance.scheme}:${provenance.said}`;
    case 'ref':
      return `ref:${provenance.uri}`;
  }
}

function fileProvenance(rest: string): Provenance | undefined {
  const match = /^([^#]+)(?:#L(\d{1,9})(?:-L(\d{1,9}))?)?$/u.exec(rest);
  const [, path = '', first, last = first] = match ?? [];
  if (!match || !isInsideWorkspace(path)) return undefined;
  if (first === undefined) return { scheme: 'file', path, lines: undefined };
  const lines = { first: Number(first), last: Number(last) };
  return lines.first >= 1 && lines.last >= lines.first ? { scheme: 'file', path, lines } : undefined;
}

/** Whether a path is relative and never leads upwards; a backslash counts as a separator too. */
function isInsideWorkspace(path: string): boolean {
  if (/^[/\\~]|^[A-Za-z]:/.test(path)) return false;
  const segments = path.split(/[/\\]/);
  return path.trim() === path && segments.every((segment) => segment !== '..');
}
