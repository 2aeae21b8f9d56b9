/** The text as one word of a shell's command line, quoted only where it has to be. */
export function shellWord(text: string): string {
  return SAFE.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

const SAFE = /^[A-Za-z0-9_./:@%+=-]+$/;
