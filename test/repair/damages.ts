import { rmSync, writeFileSync } from 'node:fs';

/** Twelve ways to damage a file. */
export const DAMAGES: Record<string, (file: string, content: Buffer) => void> = {
  'is gone': (file) => rmSync(file),
  'is empty': (file) => writeFileSync(file, ''),
  'is cut in half': (file, content) => writeFileSync(file, content.subarray(0, content.length >> 1)),
  'lacks its last byte': (file, content) => writeFileSync(file, content.subarray(0, -1)),
  'begins with zeros': (file, content) => writeFileSync(file, zeroed(content, 0, 512)),
  'has zeros in the middle': (file, content) =>
    writeFileSync(file, zeroed(content, content.length >> 1, Math.min(4096, content.length >> 3))),
  'ends with zeros': (file, content) =>
    writeFileSync(file, zeroed(content, content.length - Math.min(4096, content.length >> 2), 4096)),
  'is all zeros': (file, content) => writeFileSync(file, Buffer.alloc(content.length)),
  'has flipped bits': (file, content) =>
    writeFileSync(
      file,
      content.map((byte, at) => (at % 997 === 500 ? byte ^ 0x55 : byte)),
    ),
  'has a tail of something else': (file, content) =>
    writeFileSync(file, Buffer.concat([content, Buffer.from('\u0000half a line')])),
  'is a text': (file) => writeFileSync(file, 'hello'),
  'is another file': (file, content) => writeFileSync(file, Buffer.from(content).reverse()),
};

function zeroed(content: Buffer, from: number, length: number): Buffer {
  return Buffer.from(content).fill(0, from, Math.min(content.length, from + length));
}
