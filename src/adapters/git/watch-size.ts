import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

export interface SizeWatch {
  /** Aborts when the limit is exceeded or the given signal aborts. */
  readonly signal: AbortSignal;
  isOverLimit(): boolean;
  stop(): Promise<void>;
}

const EVERY_MS = 200;

/** Measures periodically how much a repository has received, because git has no limit of its own. */
export function watchSize(
  repository: string,
  limit: { readonly maxBytes: number; readonly progress?: ((bytes: number) => void) | undefined },
  signal: AbortSignal,
): SizeWatch {
  const overLimit = new AbortController();
  const measure = async () => {
    const bytes = await receivedBytes(repository);
    if (bytes > 0) limit.progress?.(bytes);
    if (bytes > limit.maxBytes) overLimit.abort();
  };
  let measuring = Promise.resolve();
  const timer = setInterval(() => {
    measuring = measuring.then(measure);
  }, EVERY_MS);
  return {
    signal: AbortSignal.any([signal, overLimit.signal]),
    isOverLimit: () => overLimit.signal.aborted,
    async stop() {
      clearInterval(timer);
      await measuring.then(measure);
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
