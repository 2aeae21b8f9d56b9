import type { MadeRequest, Receipt, TouchedFile } from '../../../domain/tools/tool.ts';

export function receiptLines(receipt: Receipt): string[] {
  const { milliseconds, filesRead, filesWritten, requests = [], stdout, stderr } = receipt;
  return [
    `took ${milliseconds} ms${memory(receipt)}`,
    ...(receipt.ended ? ['the call was ended: what it printed at last may be missing'] : []),
    ...filesRead.map((file) => `read ${touched(file)}`),
    ...more('read', receipt.moreFilesRead),
    ...filesWritten.map((file) => `wrote ${touched(file)}`),
    ...more('wrote', receipt.moreFilesWritten),
    ...requests.map(requested),
    ...printed('stdout', stdout),
    ...printed('stderr', stderr),
  ];
}

function memory({ memoryPeakBytes, processPeakBytes }: Receipt): string {
  const mebibytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);
  if (memoryPeakBytes !== undefined) return `, ${mebibytes(memoryPeakBytes)} MiB of memory`;
  if (processPeakBytes === undefined) return '';
  return `, ${mebibytes(processPeakBytes)} MiB of memory with the engine`;
}

function requested({ method, url, status, refused, sentBytes, receivedBytes }: MadeRequest): string {
  const how = [
    ...(status === undefined ? [] : [`answered ${status}`]),
    ...(refused === undefined ? [] : [`failed: ${inOneLine(refused)}`]),
  ].join(', ');
  return `sent ${inOneLine(method)} ${inOneLine(url)} (${sentBytes} bytes sent, ${receivedBytes} received): ${how || 'not sent'}`;
}

function touched({ path, bytes }: TouchedFile): string {
  return `${inOneLine(path)} (${bytes} bytes)`;
}

/** A tool chooses names: one with a line break could look like another line of the receipt. */
function inOneLine(text: string): string {
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) ? JSON.stringify(text) : text;
}

function more(verb: string, count: number | undefined): string[] {
  return count === undefined ? [] : [`${verb} ${count} more`];
}

function printed(name: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${name}: ${line}`);
}
