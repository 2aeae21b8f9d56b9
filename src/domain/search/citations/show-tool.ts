import { Fault } from '../../../base/fault.ts';
import { asText, type JsonObject } from '../../../base/json.ts';
import type { LineRange } from '../../../base/text.ts';
import type { KnowledgeBase } from '../../knowledge-base/topic.ts';
import { parseResultUri, type ResultPorts, resultPage } from '../../tools/limit-result.ts';
import { failure, success, type Tool, type ToolResult } from '../../tools/tool.ts';
import { type ToolShape, unattendedTool } from '../../tools/unattended-tool.ts';
import type { OpenPorts } from './open-uri.ts';

export type ShowToolPorts = OpenPorts & ResultPorts;

/** Leaves room for the fence of a page and for the line that says how to read on. */
export const PAGE_BYTES = 31 * 1024;

const SHOW: ToolShape = {
  description:
    'Read the whole text behind a citation: open the ken:// address of a search hit, a subject, a reference file, a ' +
    'kept fact or an earlier conversation, or the next page of an answer that was cut.',
  properties: {
    uri: { type: 'string', minLength: 1, description: 'The address, as an answer gave it: ken://….' },
    lines: {
      type: 'string',
      description: 'Only these lines: "3" or "3-9". Those of the address if absent.',
    },
  },
  required: ['uri'],
};

/** Opens any citation, since some clients read only the resources that are listed. */
export function showTool(ports: ShowToolPorts, knowledge: KnowledgeBase): Tool {
  return unattendedTool({
    name: 'show',
    reach: 'read',
    shape: SHOW,
    faults: ['search', 'kb', 'references'],
    shown: ({ uri, lines }) => [uri, lines].filter(Boolean).join(' '),
    call: (given) => show(ports, knowledge, given),
  });
}

async function show(ports: ShowToolPorts, knowledge: KnowledgeBase, given: JsonObject): Promise<ToolResult> {
  const uri = asText(given.uri) ?? '';
  const result = parseResultUri(uri);
  if (result) {
    const page = await resultPage(ports, result, PAGE_BYTES);
    if (page !== undefined) return { outcome: success(page) };
    return { outcome: failure(`There is no result "${result.id}"; results are kept for a few days only.`) };
  }
  const lines = linesFrom(asText(given.lines));
  const { openUri } = await import('./open-uri.ts');
  const { text } = await openUri(ports, knowledge, { uri, lines, limitBytes: PAGE_BYTES });
  return { outcome: success(text) };
}

/** `3` or `3-9`. */
function linesFrom(given: string | undefined): LineRange | undefined {
  if (given === undefined) return undefined;
  const [, from, to = from] = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(given.trim()) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (first <= last) return { first, last };
  throw new Fault(
    'search/bad-citation',
    '"lines" is the number of a line, or of the first and the last: "3-9".',
  );
}
