import { aboutDataFences } from '../../base/data-fence.ts';
import { utf8Length } from '../../base/text.ts';
import { success, type ToolOutcome } from './tool.ts';

export interface ResultPorts {
  readonly results: ResultStore;
}

/** Cuts the text to a number of bytes, and keeps the whole text if it is longer. */
export async function limitOutcome(
  { results }: ResultPorts,
  outcome: ToolOutcome,
  limitBytes: number,
): Promise<{ readonly outcome: ToolOutcome; readonly wasCut?: boolean }> {
  const whole = textOf(outcome);
  const sizeBytes = utf8Length(whole);
  if (sizeBytes <= limitBytes) return { outcome };
  const id = await results.keep(whole);
  const shown = (await results.read(id, 0, limitBytes)) ?? { text: '', next: 0 };
  const text = withCutLine(shown.text, { id, next: shown.next, sizeBytes });
  const cut = outcome.type === 'error' ? { ...outcome, message: text, trace: [] } : success(text);
  return { outcome: cut, wasCut: true };
}

function textOf(outcome: ToolOutcome): string {
  if (outcome.type === 'success') return outcome.text;
  return outcome.type === 'error' ? [outcome.message, ...outcome.trace].join('\n') : '';
}

/** Addresses the rest of a kept result for the tool `show`; the number is the byte to begin at. */
export function resultUri(id: string, offset: number): string {
  return `${RESULT_URI}${id}#${offset}`;
}

const RESULT_URI = 'ken://result/';

/** Undefined for a text that is no address of a kept result. */
export function parseResultUri(uri: string): { readonly id: string; readonly offset: number } | undefined {
  if (!uri.startsWith(RESULT_URI)) return undefined;
  const [, id, offset = '0'] = /^([^#]+)(?:#(\d{1,12}))?$/.exec(uri.slice(RESULT_URI.length)) ?? [];
  return id === undefined ? undefined : { id, offset: Number(offset) };
}

/** A page of a kept result, from a byte on; undefined when the result is gone. */
export async function resultPage(
  { results }: ResultPorts,
  { id, offset }: { readonly id: string; readonly offset: number },
  limitBytes: number,
): Promise<string | undefined> {
  const part = await results.read(id, offset, limitBytes);
  if (!part) return undefined;
  const before = offset === 0 ? '' : ((await results.read(id, 0, offset))?.text ?? '');
  const opened = openFenceIn(before);
  const page =
    opened === undefined ? part.text : `${aboutDataFences(opened)}\n\n<<<data ${opened}\n${part.text}`;
  if (part.next >= part.sizeBytes) return page;
  return withCutLine(page, { id, next: part.next, sizeBytes: part.sizeBytes });
}

/** Each page closes the fence that it leaves open, so that ken's own line never stands inside of one. */
function withCutLine(
  page: string,
  { id, next, sizeBytes }: { readonly id: string; readonly next: number; readonly sizeBytes: number },
): string {
  const open = openFenceIn(page);
  const closed = open === undefined ? page : `${page.replace(/\n$/, '')}\n${open} data>>>`;
  const readOn = `show {"uri":"${resultUri(id, next)}"}`;
  return `${closed}\n(cut: ${next} of ${sizeBytes} bytes are shown; read on with ${readOn})`;
}

/** The id of the fence that is still open at the end of the text. Only its own last line closes a fence. */
function openFenceIn(text: string): string | undefined {
  let at = 0;
  for (;;) {
    OPENING.lastIndex = at;
    const opening = OPENING.exec(text);
    if (!opening) return undefined;
    const [line, id = ''] = opening;
    const closing = `\n${id} data>>>`;
    const end = text.indexOf(closing, opening.index + line.length);
    if (end === -1) return id;
    at = end + closing.length;
  }
}

const OPENING = /^<<<data ([0-9a-f]{16,64})$/gm;

/** Keeps long results of tools for a while. */
export interface ResultStore {
  /** Returns the id to read it by. */
  keep(text: string): Promise<string>;
  /** Whole characters only; undefined when there is no result of that id. */
  read(id: string, offset: number, maxBytes: number): Promise<KeptPart | undefined>;
}

export interface KeptPart {
  readonly text: string;
  readonly sizeBytes: number;
  /** Offset of the next part; the size when this was the last. */
  readonly next: number;
}
