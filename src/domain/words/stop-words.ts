/** English words that say nothing about what is looked for. They are indexed, and searched for only among themselves. */

const STOP_WORDS = new Set(
  (
    'a an and are as at be but by can could did do does for from had has have how i if in into is it its me my of on ' +
    'or our shall should so than that the their them then there these they this those to was we were what when where ' +
    'which who why will with would you your s t'
  ).split(' '),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
