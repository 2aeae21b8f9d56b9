import { existsSync } from 'node:fs';
import path from 'node:path';
import { realPath } from '../adapters/paths/real-path.ts';
import { homeDirectory } from '../adapters/system/account.ts';
import { systemClock, systemHasher } from '../adapters/system/primitives.ts';
import type { App } from '../app.ts';
import { lazyPort, untilMade } from '../base/lazy.ts';
import type { Config } from '../config/schema.ts';
import type { WriterLocks } from '../domain/conversations/writer-lock.ts';
import type { Surroundings } from './part.ts';

export type ReferencePorts = Pick<
  App,
  'library' | 'referenceIndex' | 'localDirectories' | 'topicTransfer' | 'gitReader'
>;

export function openReferences(surroundings: Surroundings, app: App): ReferencePorts {
  const root = libraryRoot(surroundings, app.config);
  const { max_files: maxFiles, max_bytes: maxBytes, timeout_s } = app.config.references;
  const { request, directories } = surroundings;
  const locks = lazyPort<WriterLocks>(async () => {
    const { sqliteWriterLocks } = await import('../adapters/sqlite/seam/writer-locks.ts');
    return sqliteWriterLocks(systemClock);
  });
  const onDisk = lazyPort<App['library']>(async () => {
    const { fileReferenceLibrary } = await import('../adapters/files/references/library.ts');
    return fileReferenceLibrary({ root, locks });
  });
  const library = untilMade(() => existsSync(root), onDisk, { list: async () => [] });
  const referenceIndex = lazyPort<App['referenceIndex']>(async () => {
    const { referenceIndex: open } = await import('../domain/search/engine/reference-index.ts');
    const { exclude } = app.config.references;
    return open({ ...app, store: app.referenceStore, library, hasher: systemHasher, exclude });
  });
  const localDirectories = lazyPort<App['localDirectories']>(async () => {
    const { localDirectories: open } = await import('../adapters/files/local-directories.ts');
    const { qmdTree } = await import('../adapters/sqlite/foreign/qmd.ts');
    const limits = { maxFiles, maxBytes };
    const directoriesOnDisk = open(request.directory, limits);
    return {
      open: async (place) =>
        qmdTree(path.resolve(request.directory, place), limits) ?? directoriesOnDisk.open(place),
    };
  });
  const topicTransfer = lazyPort<App['topicTransfer']>(async () =>
    (await import('../adapters/files/references/topic-transfer.ts')).topicTransfer(root),
  );
  const gitReader = lazyPort<App['gitReader']>(async () => {
    const { systemGitReader } = await import('../adapters/git/git-reader.ts');
    return systemGitReader(app, {
      limits: { maxFiles, maxBytes, timeoutMs: timeout_s * 1000 },
      directory: path.join(directories.cache, 'git'),
      workingDirectory: request.directory,
      environment: request.environment,
    });
  });
  return { library, referenceIndex, localDirectories, topicTransfer, gitReader };
}

export function libraryRoot({ request, directories }: Surroundings, { references }: Config): string {
  const { root } = references;
  if (root === undefined) return path.join(directories.data, 'references');
  const named = root.replace(/^~(?=\/|$)/, () => homeDirectory(request.environment));
  return realPath(path.resolve(directories.data, named));
}
