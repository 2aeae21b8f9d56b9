/** The words of a question that say what it is about. */

const STOP_WORDS = new Set(
  (
    'a about after all also am an and any are as at be been before but by can could did do does doing for from get had ' +
    'has have how i if in into is it its just know like long many may me might more most much must my need no not of off ' +
    'on one only or other our out over please should show so some such tell than that the their them then there these ' +
    'they this those to too under up us use used using very was we were what when where which while who whom whose why ' +
    'will with would you your'
  ).split(' '),
);

/** Folded and cut to their stem, each once. */
export function questionWords(question: string): readonly string[] {
  return [
    ...new Set(
      words(question)
        .filter((word) => !STOP_WORDS.has(word))
        .map(stem),
    ),
  ];
}

/** Every word of a text, folded and cut to its stem. */
export function stemmedWords(text: string): ReadonlySet<string> {
  return new Set(words(text).map(stem));
}

function words(text: string): string[] {
  const spaced = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return (
    spaced
      .normalize('NFKD')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Enough for `deploys`, `deployed` and `deploying` to be one word. */
function stem(word: string): string {
  if (word.length <= 3) return word;
  const bare = word.replace(/(?:ies)$/, 'y').replace(/(?:ing|ed|es|s|ly|er|ment)$/, '');
  const kept = bare.length >= 3 ? bare : word;
  return kept.replace(/(.)\1$/, '$1').replace(/e$/, '');
}
