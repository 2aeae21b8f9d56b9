/** `1 topic`, `2 topics`: of nouns that take an s. */
export function counted(number: number, noun: string): string {
  return `${number} ${number === 1 ? noun : `${noun}s`}`;
}
