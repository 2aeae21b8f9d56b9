/** One spelling for what readers take for the same word. */

/** Compatibility forms, case and the accents of Latin and Greek letters go; other scripts keep their marks. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTED, (letters) => letters.replace(MARKS, ''))
    .normalize('NFC');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const PLAIN = /^[\x00-\x7f]*$/;
const ACCENTED = /[\p{Script=Latin}\p{Script=Greek}]\p{Mn}+/gu;
const MARKS = /\p{Mn}+/gu;
