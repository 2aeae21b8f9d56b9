/** What somebody named it, on one line; undefined when that is nothing. */
export function givenTitle(text: string | undefined): string | undefined {
  return text?.replace(/\s+/g, ' ').trim() || undefined;
}

const TITLE_LENGTH = 60;

/** The beginning of what was asked first, for a conversation that nobody named; undefined when there is nothing. */
export function titleFrom(question: string): string | undefined {
  const [line = ''] = question.trim().split('\n', 1);
  if (line === '') return undefined;
  const letters = [...line.slice(0, (TITLE_LENGTH + 1) * 2)];
  return letters.length > TITLE_LENGTH ? `${letters.slice(0, TITLE_LENGTH - 1).join('')}…` : line;
}
