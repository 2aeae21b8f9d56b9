import { late } from '../../base/late.ts';
import { isPlain } from './fold.ts';

/**
 * An expression over letters and digits, for this text: plain text gets one without the tables of Unicode, which take
 * a millisecond to read. `make` is given what stands between brackets.
 */
export function lettered(make: (letters: string) => RegExp): (text: string) => RegExp {
  const plain = late(() => make('A-Za-z0-9'));
  const full = late(() => make('\\p{L}\\p{N}'));
  return (text) => (isPlain(text) ? plain() : full());
}
