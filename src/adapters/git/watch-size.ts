import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

export interface SizeWatch {
  /** Aborts when the limit is passed, or when the signal it was given does. */
  readonly signal: AbortSignal;
  hasPassedLimit(): boolean;
  stop(): Promise<void>;
}

const EVERY_MS = 200;

/** Looks now and then how much a repository has received; git itself knows no limit. */
export function watchSize(
  repository: string,
  limit: { readonly maxBytes: number; readonly progress?: ((bytes: number) => void) | undefined },
  signal: AbortSignal,
): SizeWatch {
  const passed = new AbortController();
  const look = async () => {
    const bytes = await receivedBytes(repository);
    if (bytes > 0) limit.progress?.(bytes);
    if (bytes > limit.maxBytes) passed.abort();
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, EVERY_MS);
  return {
    signal: AbortSignal.any([signal, passed.signal]),
    hasPassedLimit: () => passed.signal.aborted,
    async stop() {
      clearInterval(timer);
      await looking.then(look);
    },
  };
}

async function receivedBytes(repository: string): Promise<number> {
  const packs = path.join(repository, 'objects/pack');
  const names = await readdir(packs).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(path.join(packs, name)).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
