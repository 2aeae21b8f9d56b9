/**
 * The words of a command line as bash would read them, up to the cursor; the last one is being typed and may be
 * empty. Quotes and backslashes are taken away and nothing is expanded: this text has not been run yet, and must
 * not run because somebody asked for a completion.
 */
export function splitLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    if (character === '\\' && quote !== "'") {
      at += 1;
      word = (word ?? '') + (line[at] ?? '');
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  return [...words, word ?? ''];
}
