/** English endings taken off by Porter's rules (1980), so that "indexes", "indexed" and "indexing" meet. */

/**
 * `word` is lower case; anything that is not a word of ASCII letters comes back as it is. A stem stays as it is
 * when it is stemmed again.
 */
export function stem(word: string): string {
  if (word.length < 3 || !ASCII_WORD.test(word)) return word;
  const once = stemOnce(word);
  return once === word ? word : stem(once);
}

function stemOnce(word: string): string {
  let result = withoutPlural(word);
  result = withoutPast(result);
  result = result.replace(/y$/, (y, at: number) => (hasVowel(result.slice(0, at)) ? 'i' : y));
  result = replaceEnding(result, DOUBLE_ENDINGS, 0);
  result = replaceEnding(result, SINGLE_ENDINGS, 0);
  result = replaceEnding(result, LAST_ENDINGS, 1);
  return tidied(result);
}

const ASCII_WORD = /^[a-z]+$/;

type Endings = readonly (readonly [ending: string, replacement: string])[];

/** Longest first where one ends another. */
const DOUBLE_ENDINGS: Endings = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];

const SINGLE_ENDINGS: Endings = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

const LAST_ENDINGS: Endings = [
  ...[
    'ance',
    'ence',
    'able',
    'ible',
    'ement',
    'ment',
    'ent',
    'ant',
    'ism',
    'ate',
    'iti',
    'ous',
    'ive',
    'ize',
  ],
  ...['al', 'er', 'ic', 'ou'],
].map((ending) => [ending, '']);

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = ['ed', 'ing'].find((each) => word.endsWith(each));
  if (!ending || !hasVowel(word.slice(0, -ending.length))) return word;
  const bare = word.slice(0, -ending.length);
  if (/(?:at|bl|iz)$/.test(bare)) return `${bare}e`;
  if (/([^aeiouylsz])\1$/.test(bare)) return bare.slice(0, -1);
  return measure(bare) === 1 && endsShort(bare) ? `${bare}e` : bare;
}

function replaceEnding(word: string, endings: Endings, above: number): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (found) {
    const [ending, replacement] = found;
    const bare = word.slice(0, -ending.length);
    return measure(bare) > above ? bare + replacement : word;
  }
  const isNoun = above > 0 && /[st]ion$/.test(word);
  return isNoun && measure(word.slice(0, -3)) > above ? word.slice(0, -3) : word;
}

function tidied(word: string): string {
  let result = word;
  if (word.endsWith('e')) {
    const bare = word.slice(0, -1);
    const count = measure(bare);
    if (count > 1 || (count === 1 && !endsShort(bare))) result = bare;
  }
  return result.endsWith('ll') && measure(result) > 1 ? result.slice(0, -1) : result;
}

/** How often a vowel is followed by a consonant; a `y` after a consonant is a vowel. */
function measure(word: string): number {
  return shape(word).match(/v+c+/g)?.length ?? 0;
}

function hasVowel(word: string): boolean {
  return shape(word).includes('v');
}

function shape(word: string): string {
  return word.replace(/[aeiou]|[^aeiouy]|y/g, (letter, at: number) => {
    if (letter === 'y') return at > 0 && !'aeiouy'.includes(word[at - 1] ?? '') ? 'v' : 'c';
    return 'aeiou'.includes(letter) ? 'v' : 'c';
  });
}

/** Consonant, vowel, consonant, the last not w, x or y: as in "hop". */
function endsShort(word: string): boolean {
  return shape(word).endsWith('cvc') && !/[wxy]$/.test(word);
}
