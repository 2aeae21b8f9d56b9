import type { Hasher } from '../../base/hasher.ts';

/** Crypto is loaded at the first digest: most commands need none. */
export const systemHasher: Hasher = {
  sha256: (content) => process.getBuiltinModule('node:crypto').hash('sha256', content, 'hex'),
};
