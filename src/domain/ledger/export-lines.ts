/** The lines of an exported file, read again each time: all of them at once would take many times its size. */

import { Fault } from '../../base/fault.ts';
import { type Json, memberOf, parseJson } from '../../base/json.ts';
import { EXPORT_HEAD } from './exported-entry.ts';

export interface ExportLine {
  /** From 1, as an editor counts. */
  readonly number: number;
  /** In bytes. */
  readonly size: number;
  /** `null` for what is no JSON. */
  json(): Json;
}

/** Without the head and without empty lines. A Fault when it is no export. */
export function exportLines(content: Uint8Array): readonly ExportLine[] {
  const [head, ...lines] = linesOf(content);
  if (memberOf(head?.json(), 'format') !== EXPORT_HEAD.format) {
    throw new Fault('ledger/invalid', 'This is no export of a ledger.', {
      hint: '"ken knowledge export" writes one; "ken knowledge audit --from" looks at other collections.',
    });
  }
  if (memberOf(head?.json(), 'version') !== EXPORT_HEAD.version)
    throw new Fault('ledger/invalid', 'This was exported by a newer ken.', { hint: 'Update ken.' });
  return lines;
}

const NEWLINE = 0x0a;

function linesOf(content: Uint8Array): ExportLine[] {
  const lines: ExportLine[] = [];
  for (let next = 0, number = 1; next < content.length; number++) {
    const start = next;
    const newline = content.indexOf(NEWLINE, start);
    const end = newline === -1 ? content.length : newline;
    const bytes = () => content.subarray(start, end);
    if (!bytes().every(isBlank)) lines.push({ number, size: end - start, json: () => jsonOf(bytes()) });
    next = end + 1;
  }
  return lines;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function jsonOf(bytes: Uint8Array): Json {
  return parseJson(new TextDecoder().decode(bytes)) ?? null;
}
