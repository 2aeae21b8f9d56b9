import type { Readable } from 'node:stream';

export interface CapturedOutput {
  /** The first bytes, up to the limit. */
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Number of bytes read, kept or not. */
  readonly total: number;
  readonly truncated: boolean;
}

/** Keeps the first `limit` bytes and reads on, so that the writer never blocks. */
export function captureOutput(stream: Readable, limit: number, overflowed: () => void): CapturedOutput {
  const chunks: Buffer[] = [];
  let kept = 0;
  let total = 0;
  stream.on('data', (chunk: Buffer) => {
    const wasWithin = total <= limit;
    total += chunk.length;
    const part = chunk.subarray(0, limit - kept);
    if (part.length > 0) chunks.push(part);
    kept += part.length;
    if (wasWithin && total > limit) overflowed();
  });
  // A broken pipe is the end of the output; what was read before is valid.
  stream.on('error', () => {});
  return {
    get bytes() {
      return Buffer.concat(chunks);
    },
    get text() {
      // In stream mode the decoder holds back a character that the limit cut in two.
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      return decoder.decode(Buffer.concat(chunks), { stream: total > limit });
    },
    get total() {
      return total;
    },
    get truncated() {
      return total > limit;
    },
  };
}
