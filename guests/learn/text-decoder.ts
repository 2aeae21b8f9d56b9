/** The guest's engine has no TextDecoder. This is the strict one for UTF-8, which is all that `learn` asks for. */

const BYTE_ORDER_MARK = '\ufeff';
/** More arguments at once than this, and a call of a function can fail. */
const CHUNK = 8192;

class StrictUtf8Decoder {
  /** Throws for what is not UTF-8; drops the byte-order mark. */
  decode(bytes: Uint8Array): string {
    let binary = '';
    for (let at = 0; at < bytes.length; at += CHUNK) {
      binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
    }
    // Of all that the engine does natively, this decodes the fastest, and it is strict.
    const text = decodeURIComponent(escape(binary));
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }
}

Object.assign(globalThis, { TextDecoder: StrictUtf8Decoder });
