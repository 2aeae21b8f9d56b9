import { fstatSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';

/** The words of the command line, and what standard input adds; `-` alone means standard input only. */
export async function readQuestion(words: readonly string[]): Promise<string> {
  const typed = words.filter((word) => word !== '-').join(' ');
  const piped = words.includes('-') || isPiped() ? (await readAll(process.stdin)).trimEnd() : '';
  return [typed, piped].filter((part) => part.trim() !== '').join('\n\n');
}

/** Something was sent: a pipe or a file. A terminal or /dev/null has nothing to add. */
function isPiped(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    return false;
  }
}
