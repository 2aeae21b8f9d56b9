/** Stems English words by Porter's rules (1980), so that "indexes", "indexed" and "indexing" are equal. */

/** `word` is lower case; returns anything but ASCII letters unchanged. A stem is its own stem. */
export function stem(word: string): string {
  if (word.length < 3 || !CHANGING.includes(word.charAt(word.length - 1))) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = isPlain(word) ? stemmed(word) : word;
  if (stems.size === MOST_KNOWN) stems.clear();
  stems.set(word, found);
  return found;
}

/** A few words are most of every text. */
const stems = new Map<string, string>();
const MOST_KNOWN = 4096;

function stemmed(word: string): string {
  const once = stemOnce(word);
  return once === word ? word : stem(once);
}

/** No rule changes a word that ends with another letter. */
const CHANGING = 'sedngtlyrcimu';

function isPlain(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    if (unit < 0x61 || unit > 0x7a) return false;
  }
  return true;
}

function stemOnce(word: string): string {
  let result = withoutPlural(word);
  result = withoutPast(result);
  if (result.endsWith('y') && hasVowel(result, result.length - 1)) result = `${result.slice(0, -1)}i`;
  result = replaceEnding(result, DOUBLE_ENDINGS, 0);
  result = replaceEnding(result, SINGLE_ENDINGS, 0);
  result = result.endsWith('ion') ? withoutNounEnding(result) : replaceEnding(result, LAST_ENDINGS, 1);
  return tidied(result);
}

interface Ending {
  readonly ending: string;
  readonly replacement: string;
}

type Endings = ReadonlyMap<string, readonly Ending[]>;

/** By last letter; longer endings come before those they end with. */
function endings(list: Readonly<Record<string, string>>): Endings {
  const all = Object.entries(list).map(([ending, replacement]) => ({ ending, replacement }));
  const longestFirst = all.sort((a, b) => b.ending.length - a.ending.length);
  return Map.groupBy(longestFirst, ({ ending }) => ending.charAt(ending.length - 1));
}

const DOUBLE_ENDINGS = endings({
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
});

const SINGLE_ENDINGS = endings({
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
});

const LAST_ENDINGS = endings(
  Object.fromEntries(
    'ance ence able ible ement ment ent ant ism ate iti ous ive ize al er ic ou'
      .split(' ')
      .map((ending) => [ending, '']),
  ),
);

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss')) return word;
  return word.slice(0, word.endsWith('sses') || word.endsWith('ies') ? -2 : -1);
}

function withoutPast(word: string): string {
  if (word.endsWith('eed')) return measure(word, word.length - 3) > 0 ? word.slice(0, -1) : word;
  const length = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  if (length === 0 || !hasVowel(word, word.length - length)) return word;
  const bare = word.slice(0, -length);
  if (bare.endsWith('at') || bare.endsWith('bl') || bare.endsWith('iz')) return `${bare}e`;
  const last = bare.charAt(bare.length - 1);
  if (last === bare.charAt(bare.length - 2) && !'aeiouylsz'.includes(last)) return bare.slice(0, -1);
  return measure(bare, bare.length) === 1 && endsShort(bare, bare.length) ? `${bare}e` : bare;
}

function replaceEnding(word: string, known: Endings, above: number): string {
  const found = known.get(word.charAt(word.length - 1))?.find(({ ending }) => word.endsWith(ending));
  if (!found) return word;
  const bare = word.length - found.ending.length;
  return measure(word, bare) > above ? word.slice(0, bare) + found.replacement : word;
}

function withoutNounEnding(word: string): string {
  const isNoun = word.endsWith('sion') || word.endsWith('tion');
  return isNoun && measure(word, word.length - 3) > 1 ? word.slice(0, -3) : word;
}

function tidied(word: string): string {
  let result = word;
  if (word.endsWith('e')) {
    const bare = word.length - 1;
    const count = measure(word, bare);
    if (count > 1 || (count === 1 && !endsShort(word, bare))) result = word.slice(0, bare);
  }
  return result.endsWith('ll') && measure(result, result.length) > 1 ? result.slice(0, -1) : result;
}

/** Number of times a vowel is followed by a consonant in the first letters of a word. */
function measure(word: string, length: number): number {
  let count = 0;
  let wasVowel = false;
  for (let at = 0; at < length; at++) {
    const isNow = isVowel(word, at);
    if (wasVowel && !isNow) count += 1;
    wasVowel = isNow;
  }
  return count;
}

function hasVowel(word: string, length: number): boolean {
  for (let at = 0; at < length; at++) if (isVowel(word, at)) return true;
  return false;
}

/** A `y` after a consonant is a vowel. */
function isVowel(word: string, at: number): boolean {
  const letter = word.charAt(at);
  if (letter === 'y') return at > 0 && !'aeiouy'.includes(word.charAt(at - 1));
  return 'aeiou'.includes(letter);
}

/** Consonant, vowel, consonant, the last not w, x or y: as in "hop". */
function endsShort(word: string, length: number): boolean {
  if (length < 3 || 'wxy'.includes(word.charAt(length - 1))) return false;
  return !isVowel(word, length - 3) && isVowel(word, length - 2) && !isVowel(word, length - 1);
}
