import type { Receipt, TouchedFile } from '../../../domain/tools/tool.ts';

/** What a call touched and cost, a line each. */
export function receiptLines(receipt: Receipt): string[] {
  const { milliseconds, memoryPeakBytes, filesRead, filesWritten, stdout, stderr } = receipt;
  const memory = memoryPeakBytes === undefined ? '' : `, ${mebibytes(memoryPeakBytes)} MiB of memory`;
  return [
    `took ${milliseconds} ms${memory}`,
    ...filesRead.map((file) => `read ${touched(file)}`),
    ...filesWritten.map((file) => `wrote ${touched(file)}`),
    ...printed('stdout', stdout),
    ...printed('stderr', stderr),
  ];
}

function touched({ path, bytes }: TouchedFile): string {
  return `${path} (${bytes} bytes)`;
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(1);
}

function printed(name: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${name}: ${line}`);
}
