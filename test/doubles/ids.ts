import type { IdSource } from '../../src/base/ids.ts';

/** Ids that count from one, so that a test knows them beforehand. Tokens have their own count. */
export function countingIds(): IdSource {
  let ulids = 0;
  let tokens = 0;
  return {
    ulid: () => String(++ulids).padStart(26, '0'),
    token: (bytes) =>
      bytes === 0
        ? ''
        : (++tokens)
            .toString(16)
            .padStart(bytes * 2, '0')
            .slice(-bytes * 2),
  };
}
