import type { Receipt, TouchedFile } from '../../../domain/tools/tool.ts';

/** Lines about a tool call: the files and hosts it used, its time and memory. */
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
