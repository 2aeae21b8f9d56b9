/** Reads a question. Any text is a question: syntax that is not understood is a word or nothing. */

import { classOf, lettered, scanRuns, UNSPACED } from './characters.ts';
import { splitWord } from './split-word.ts';
import { stem } from './stem.ts';
import { isStopWord } from './terms.ts';

export interface ParsedQuery {
  /** The words to rank by. Stop words are left out, unless there are no others. */
  readonly words: readonly QueryWord[];
  /** A hit must contain each of these: the question is nothing else. */
  readonly phrases: readonly Phrase[];
  /** A hit that contains these is better: phrases quoted within a sentence, and words like `fs.readFile` and `C++`. */
  readonly preferred: readonly string[];
  /** A hit must contain none of these terms, and none of these phrases. */
  readonly excludedTerms: readonly string[];
  readonly excludedPhrases: readonly string[];
  /** The text for an embedder: the question without its exclusions. */
  readonly text: string;
}

export interface QueryWord {
  /** As it is indexed, or the beginning of it. */
  readonly term: string;
  /** As it was written, in lower case: what a near miss is compared with. */
  readonly written: string;
  /** `word*` */
  readonly isPrefix: boolean;
}

export interface Phrase {
  readonly text: string;
  /** Every one of them is in a chunk that contains the phrase. */
  readonly terms: readonly string[];
}

/** A pasted file is no question: what comes after this is not read. */
const MAX_LENGTH = 20_000;
const MAX_WORDS = 96;

export function parseQuery(question: string): ParsedQuery {
  const parts = [...question.slice(0, MAX_LENGTH).matchAll(PART)].map(partOf);
  const wanted = parts.filter((part) => !part.isExcluded);
  // "-v" alone asks for it: there is nothing else it could be taken away from.
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
  // "--flag" and a lone hyphen are no exclusions.
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

/** `fs.readFile`, `std::vec`, `docs/cli.md`, `C++`: more than its pieces, as it stands. */
function joinedWords({ text, isPhrase }: Part): string[] {
  return isPhrase ? [] : (text.match(joinedOrSigned(text)) ?? []);
}

const joinedOrSigned = lettered((letters) => {
  const joined = `[${letters}_]+(?:(?:[.:/#]|::|->)[${letters}_]+)+`;
  const signed = `[${letters}]+(?:\\+\\+|#(?![${letters}_]))`;
  return new RegExp(`${joined}|${signed}`, 'gu');
});

/** The term of a part that is one word, whole if it has pieces. */
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
