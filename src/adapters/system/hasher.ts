import type { StreamHasher } from '../../base/hasher.ts';

/** Loads crypto at the first digest: most commands need none. */
export const systemHasher: StreamHasher = {
  sha256: (content) => process.getBuiltinModule('node:crypto').hash('sha256', content, 'hex'),
  running() {
    const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
    return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') };
  },
};
