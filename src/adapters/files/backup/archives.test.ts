import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import { temporaryName } from '../../paths/change-directory.ts';
import { systemHasher } from '../../system/primitives.ts';
import { archivesOnDisk } from './archives.ts';

const { signal } = new AbortController();

interface Sample {
  readonly path: string;
  readonly content: Uint8Array;
  readonly modifiedAt: number;
}

async function archiveOf(samples: readonly Sample[]) {
  const directory = temporaryDirectory();
  const archives = archivesOnDisk(systemHasher, path.join(directory, 'archives.jsonl'));
  const file = path.join(directory, 'x.ken.tar.gz');
  const writer = await archives.create(file);
  for (const { path: name, content, modifiedAt } of samples)
    await writer.add(name, { bytes: content.length, modifiedAt, content: pieces(content) });
  await writer.finish();
  await writer.discard();
  return { directory, archives, file };
}

async function* pieces(content: Uint8Array) {
  for (let at = 0; at < content.length; at += 1000) yield content.subarray(at, at + 1000);
}

async function readAll({ archives, file }: Awaited<ReturnType<typeof archiveOf>>): Promise<Sample[]> {
  const read: Sample[] = [];
  for await (const { path: name, modifiedAt, content } of await archives.read(file, signal)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    read.push({ path: name, modifiedAt, content: new Uint8Array(Buffer.concat(chunks)) });
  }
  return read;
}

const A: Sample = {
  path: 'kb/a.md',
  content: new TextEncoder().encode('hello'),
  modifiedAt: 1_800_000_000_123,
};

describe('archives', () => {
  it('give back any names, times and contents', async () => {
    const sample = fc.record({
      path: fc
        .string({ minLength: 1, maxLength: 200, unit: 'grapheme' })
        .filter((text) => !text.includes('\0')),
      content: fc.uint8Array({ maxLength: 3000 }),
      modifiedAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(sample, { maxLength: 5 }), async (samples) => {
        expect(await readAll(await archiveOf(samples))).toEqual(samples);
      }),
      { numRuns: 30 },
    );
  });

  it('are private, recorded, and never overwrite', async () => {
    const { directory, archives, file } = await archiveOf([A]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(directory, 'archives.jsonl'), 'utf8')).toBe(
      `${JSON.stringify({ path: file })}\n`,
    );
    const left = path.join(path.dirname(file), temporaryName().replace(`-${process.pid}-`, '-4194304-'));
    writeFileSync(left, 'of a process that was killed when it had written');
    await expect(archives.create(file)).rejects.toThrow('exists already');
    expect(existsSync(left)).toBe(false);
    expect(await archives.list(directory)).toEqual(['archives.jsonl', 'x.ken.tar.gz']);
  });

  it('leave nothing when they are not finished', async () => {
    const directory = temporaryDirectory();
    const archives = archivesOnDisk(systemHasher, path.join(directory, 'archives.jsonl'));
    const writer = await archives.create(path.join(directory, 'x.ken.tar.gz'));
    await writer.add(A.path, { bytes: 5, modifiedAt: 0, content: pieces(A.content) });
    await writer.discard();
    expect(await archives.list(directory)).toEqual([]);
  });

  it('skip the content that nobody reads', async () => {
    const made = await archiveOf([A, { ...A, path: 'kb/b.md' }]);
    const paths: string[] = [];
    for await (const entry of await made.archives.read(made.file, signal)) paths.push(entry.path);
    expect(paths).toEqual(['kb/a.md', 'kb/b.md']);
  });

  it('are refused with a sentence when a byte of a header changes, or their end is missing', async () => {
    const made = await archiveOf([A]);
    const tar = gunzipSync(readFileSync(made.file));
    const header = tar.indexOf('ustar') - 257;
    for (let at = header; at < header + 300; at += 7) {
      const changed = Buffer.from(tar);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(made.file, gzipSync(changed));
      await expect(readAll(made), `byte ${at}`).rejects.toThrow('This is not a whole backup');
    }
    for (const cut of [0, 100, 512, 1024, 1500]) {
      writeFileSync(made.file, gzipSync(tar.subarray(0, cut)));
      await expect(readAll(made), `${cut} bytes`).rejects.toThrow('This is not a whole backup');
    }
    for (const text of ['', 'plain text', readFileSync(made.file).subarray(0, 30)]) {
      writeFileSync(made.file, text);
      await expect(readAll(made)).rejects.toThrow('This is not a whole backup');
    }
  });

  it('are named in a sentence where they cannot be read', async () => {
    const made = await archiveOf([A]);
    const directory = path.dirname(made.file);
    await expect(readAll({ ...made, file: directory })).rejects.toMatchObject({
      code: 'files/unreadable',
      message: `Cannot read ${directory}: illegal operation on a directory.`,
    });
  });

  it('refuse links, devices and directories', async () => {
    const made = await archiveOf([A]);
    const tar = gunzipSync(readFileSync(made.file));
    const last = tar.lastIndexOf('ustar') - 257;
    for (const type of ['1', '2', '3', '5', '6', 'L', 'g']) {
      const changed = Buffer.from(tar);
      const before = changed[last + 156] ?? 0;
      changed.write(type, last + 156);
      const sum =
        Number.parseInt(changed.toString('latin1', last + 148, last + 154), 8) + type.charCodeAt(0) - before;
      changed.write(sum.toString(8).padStart(6, '0'), last + 148);
      writeFileSync(made.file, gzipSync(changed));
      await expect(readAll(made), type).rejects.toThrow('not a plain file');
    }
  });
});
