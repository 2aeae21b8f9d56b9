/** The words of a text, as entries are found by them. */

/** The text with what a tokenizer misses: parts of identifiers, and pairs of characters where no spaces part words. */
export function searchableText(text: string): string {
  const plain = text.toWellFormed().normalize('NFKC');
  return [plain.replace(CJK_RUN, (run) => ` ${pairs(run)} `), ...identifierParts(plain)].join(' ');
}

/** At most `most` different words, in small letters. */
export function queryWords(query: string, most: number): readonly string[] {
  const words = new Set<string>();
  const considered = searchableText(query.slice(0, CONSIDERED)).toLowerCase();
  for (const [word] of considered.matchAll(WORD)) {
    words.add(word);
    if (words.size >= most) break;
  }
  return [...words];
}

/** No question is longer; what is pasted behind it does not make it slow. */
const CONSIDERED = 10_000;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const CJK_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu;
const IDENTIFIER = /\p{L}+(?:\p{Lu}|\p{N})[\p{L}\p{N}]*/gu;

function pairs(run: string): string {
  const characters = [...run];
  return characters
    .slice(1)
    .map((character, at) => `${characters[at]}${character}`)
    .join(' ');
}

/** `parseHTTPHeader2` gives `parse HTTP Header 2`. */
function identifierParts(text: string): string[] {
  return [...text.matchAll(IDENTIFIER)].flatMap(([name]) => {
    const parts = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+|\p{Lu}/gu) ?? [];
    return parts.length > 1 ? parts : [];
  });
}
