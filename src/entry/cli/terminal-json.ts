import { neutralise } from '../../base/terminal-text.ts';

/** JSON that a terminal does not obey: what is unsafe to show is written as JSON's own escape, and is the same data. */
export function terminalJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/[^\n -~]/gu, (character) =>
    neutralise(character) === character ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
