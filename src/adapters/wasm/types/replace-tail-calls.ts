/**
 * Makes ordinary calls of the tail calls in a core module. V8 cannot stop functions that tail-call each other for ever;
 * ordinary calls end when the stack is full.
 */

import { ByteReader, unsignedBytes } from './byte-reader.ts';
import { checkInstruction, checkLocals, INDIRECT_TAIL_CALL, TAIL_CALL } from './core-features.ts';

const CUSTOM_SECTION = 0;
const CODE_SECTION = 10;
const CALL = 0x10;
const INDIRECT_CALL = 0x11;
const RETURN = 0x0f;

/** Returns the same bytes when there is no tail call. Other custom sections than names, which hold offsets, go. */
export function replaceTailCalls(module: Uint8Array): Uint8Array {
  const reader = new ByteReader(module, { at: 8, end: module.length });
  const parts: Uint8Array[] = [module.subarray(0, 8)];
  let replaced = 0;
  while (!reader.isDone) {
    const start = reader.at;
    const section = reader.byte();
    const content = reader.part(reader.unsigned());
    if (section === CODE_SECTION) {
      const code = replaceInCode(content);
      replaced += code.replaced;
      parts.push(Uint8Array.of(section), unsignedBytes(code.bytes.length), code.bytes);
    } else if (section !== CUSTOM_SECTION || content.name() === 'name') {
      parts.push(module.subarray(start, reader.at));
    }
  }
  return replaced > 0 ? Buffer.concat(parts) : module;
}

function replaceInCode(content: ByteReader): { readonly bytes: Uint8Array; readonly replaced: number } {
  let replaced = 0;
  const bodies = content.list(() => {
    const body = content.part(content.unsigned());
    const parts = replaceInBody(body);
    replaced += parts.length - 1;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    return [unsignedBytes(length), ...parts];
  });
  return { bytes: Buffer.concat([unsignedBytes(bodies.length), ...bodies.flat()]), replaced };
}

/** The body in pieces; one when nothing is replaced. */
function replaceInBody(body: ByteReader): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let kept = body.at;
  checkLocals(body);
  while (!body.isDone) {
    const at = body.at;
    const opcode = body.byte();
    checkInstruction(body, opcode);
    if (opcode !== TAIL_CALL && opcode !== INDIRECT_TAIL_CALL) continue;
    const call = opcode === TAIL_CALL ? CALL : INDIRECT_CALL;
    parts.push(body.bytes.subarray(kept, at), Uint8Array.of(call), body.bytes.subarray(at + 1, body.at));
    parts.push(Uint8Array.of(RETURN));
    kept = body.at;
  }
  return [...parts, body.bytes.subarray(kept, body.end)];
}
