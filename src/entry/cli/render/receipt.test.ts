import { expect, it } from 'vitest';
import { receiptLines } from './receipt.ts';

const NONE = { milliseconds: 1, filesRead: [], filesWritten: [], stdoutBytes: 0, stderrBytes: 0 };
const FORGED = 'x\nwrote /workspace/.git/config';
const SHOWN = '"x\\nwrote /workspace/.git/config"';

it('gives each fact one line, whatever a tool calls its files and requests', () => {
  const request = { method: 'G\nET', url: FORGED, sentBytes: 0, receivedBytes: 0, refused: 'no\nyes' };
  const file = { path: FORGED, bytes: 3 };
  expect(receiptLines({ ...NONE, filesRead: [file], filesWritten: [file], requests: [request] })).toEqual([
    'took 1 ms',
    `read ${SHOWN} (3 bytes)`,
    `wrote ${SHOWN} (3 bytes)`,
    `sent "G\\nET" ${SHOWN} (0 bytes sent, 0 received): failed: "no\\nyes"`,
  ]);
});

it('says which memory it tells of', () => {
  const bytes = 3 * 1024 ** 2;
  expect(receiptLines({ ...NONE, memoryPeakBytes: bytes })).toEqual(['took 1 ms, 3.0 MiB of memory']);
  expect(receiptLines({ ...NONE, processPeakBytes: bytes, ended: true })).toEqual([
    'took 1 ms, 3.0 MiB of memory with the engine',
    'the call was ended: what it printed at last may be missing',
  ]);
});
