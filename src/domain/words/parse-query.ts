/** Parses a question. Accepts any text: unknown syntax is read as words or ignored. */

import { classOf, lettered, scanRuns, UNSPACED } from './characters.ts';
import { splitWord } from './split-word.ts';
import { stem } from './stem.ts';
import { isStopWord } from './terms.ts';

export interface ParsedQuery {
  /** Words to rank by, without stop words unless there are no others. */
  readonly words: readonly QueryWord[];
  /** Phrases that a hit must contain, when the question consists of nothing else. */
  readonly phrases: readonly Phrase[];
  /** Phrases that raise a hit: those quoted within a sentence, and words like `fs.readFile` and `C++`. */
  readonly preferred: readonly string[];
  /** Terms that a hit must not contain. */
  readonly excludedTerms: readonly string[];
  readonly excludedPhrases: readonly string[];
  /** Text for an embedder: the question without its exclusions. */
  readonly text: string;
}

export interface QueryWord {
  /** As indexed, or the beginning of it for a prefix. */
  readonly term: string;
  /** Lower case as typed, to compare with near misses. */
  readonly written: string;
  /** `word*` */
  readonly isPrefix: boolean;
}

export interface Phrase {
  readonly text: string;
  /** Terms that every chunk with the phrase contains. */
  readonly terms: readonly string[];
}

/** Longer text, such as a pasted file, is cut off. */
const MAX_LENGTH = 20_000;
const MAX_WORDS = 96;

export function parseQuery(question: string): ParsedQuery {
  const parts = [...question.slice(0, MAX_LENGTH).matchAll(PART)].map(partOf);
  const wanted = parts.filter((part) => !part.isExcluded);
  // "-v" alone asks for it, since there is nothing to exclude it from.
  const asked = wanted.length > 0 ? wanted : parts;
  const unwanted = asked === parts ? [] : parts.filter((part) => part.isExcluded);
  const phrases = asked.flatMap(({ text, isPhrase }) => (isPhrase ? phraseOf(text) : []));
  const isAllPhrases = asked.every(({ text, isPhrase }) => isPhrase || writtenWords(text).length === 0);
  const words = distinctWords(asked.flatMap(wordsOf));
  const telling = words.filter(({ written, isPrefix }) => isPrefix || !isStopWord(written));
  return {
    words: (telling.length > 0 ? telling : words).slice(0, MAX_WORDS),
    phrases: isAllPhrases ? phrases : [],
    preferred: [...(isAllPhrases ? [] : phrases.map(({ text }) => text)), ...asked.flatMap(joinedWords)],
    excludedTerms: unwanted.flatMap((part) => wholeTerm(part) ?? []),
    excludedPhrases: unwanted.flatMap((part) =>
      wholeTerm(part) ? [] : phraseOf(part.text).map(({ text }) => text),
    ),
    text: asked.map(({ text }) => text).join(' '),
  };
}

const PART = /(?<minus>-?)["“”](?<phrase>[^"“”]*)["“”]|(?<word>\S+)/gu;

interface Part {
  readonly text: string;
  readonly isPhrase: boolean;
  readonly isExcluded: boolean;
  readonly isPrefix: boolean;
}

function partOf({ groups = {} }: RegExpMatchArray): Part {
  const { minus, phrase, word = '' } = groups;
  if (phrase !== undefined)
    return { text: phrase, isPhrase: true, isExcluded: minus === '-', isPrefix: false };
  // "--flag" and a lone hyphen do not exclude.
  const isExcluded = excluded(word).test(word);
  const isPrefix = prefix(word).test(word);
  return { text: isExcluded ? word.slice(1) : word, isPhrase: false, isExcluded, isPrefix };
}

const excluded = lettered((letters) => new RegExp(`^-[${letters}_]`, 'u'));
const prefix = lettered((letters) => new RegExp(`[${letters}]{2}\\*$`, 'u'));

function wordsOf({ text, isPrefix }: Part): QueryWord[] {
  const written = writtenWords(text);
  return written.map((word, at) => {
    const isLast = isPrefix && at === written.length - 1;
    return { term: isLast ? word : stem(word), written: word, isPrefix: isLast };
  });
}

function phraseOf(text: string): Phrase[] {
  const terms = [...new Set(writtenWords(text).map(stem))];
  return terms.length > 0 ? [{ text, terms }] : [];
}

/** `fs.readFile`, `std::vec`, `docs/cli.md`, `C++`: words that mean more than their pieces. */
function joinedWords({ text, isPhrase }: Part): string[] {
  return isPhrase ? [] : (text.match(joinedOrSigned(text)) ?? []);
}

const joinedOrSigned = lettered((letters) => {
  // Only from the beginning of a run, since a long one would be read again from each of its letters.
  const joined = `(?<![${letters}_])[${letters}_]+(?:(?:[.:/#]|::|->)[${letters}_]+)+`;
  const signed = `(?<![${letters}])[${letters}]+(?:\\+\\+|#(?![${letters}_]))`;
  return new RegExp(`${joined}|${signed}`, 'gu');
});

/** Term of a part that is one word, whole if it has pieces. */
function wholeTerm({ text, isPhrase }: Part): string | undefined {
  const isOneWord =
    /^[\p{L}\p{N}_-]+$/u.test(text) && ![...text].some((character) => classOf(character) === UNSPACED);
  const whole = isOneWord && !isPhrase ? writtenWords(text).at(-1) : undefined;
  return whole && stem(whole);
}

function writtenWords(text: string): string[] {
  const words: string[] = [];
  scanRuns(text, (_, start, end) => words.push(...splitWord(text.slice(start, end), 'query')));
  return words;
}

function distinctWords(words: readonly QueryWord[]): QueryWord[] {
  const byTerm = new Map<string, QueryWord>();
  for (const word of words) {
    const key = `${word.term}${word.isPrefix ? '*' : ''}`;
    if (!byTerm.has(key)) byTerm.set(key, word);
  }
  return [...byTerm.values()];
}
