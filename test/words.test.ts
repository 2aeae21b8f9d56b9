import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fixedClock } from '../src/base/time.ts';
import { bm25Ranker, type SubjectRanker } from '../src/domain/knowledge-base/subject-ranker.ts';
import { searchEntries } from '../src/domain/ledger/search/search-entries.ts';
import { adding } from '../src/domain/ledger/store.contract.ts';
import { indexedSubjectRanker } from '../src/domain/search/engine/indexed-subject-ranker.ts';
import { searchEngine } from '../src/domain/search/engine/search-engine.ts';
import { textChunks } from '../src/domain/search/index/text-chunks.ts';
import type { ListedSource } from '../src/domain/search/sources/search-source.ts';
import { answerText, type Finding } from '../src/domain/turns/extractive/answer-text.ts';
import { parseQuery } from '../src/domain/words/parse-query.ts';
import { isStopWordOrFiller, termsOf } from '../src/domain/words/terms.ts';
import { scaled } from './scale.ts';
import { indexInMemory, ledgerInMemory } from './stores-in-memory.ts';

/** Letters of several scripts, with accents and marks that belong to the letter before them. */
const SCRIPTS: Readonly<Record<string, string>> = {
  latin: 'abcdeghilmnorstuvwxyzäéîñøßœŁşż',
  greek: 'αβγδεζηάέήίόύώς',
  cyrillic: 'абвгдеёжийклмнщы',
  arabic: 'ابتثجحخدذرزسشصَُِ',
  devanagari: 'कखगघचजतदनपिाीु',
  han: '東京都日本語中文搜索',
  kana: 'ひらがなカタカナー',
  hangul: '한국어검색문서',
  thai: 'กขคงจฉชซ',
  digits: '0123456789',
};

const piece = fc
  .constantFrom(...Object.values(SCRIPTS))
  .chain((letters) => fc.string({ unit: fc.constantFrom(...letters), minLength: 2, maxLength: 7 }));
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
/** A word, or an identifier of several, with its parts. */
const identifier = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom('camel', '_', '-', '.'))
  .map(([parts, style]) => ({
    parts,
    whole:
      style === 'camel'
        ? parts.map((each, at) => (at > 0 ? capitalised(each) : each)).join('')
        : parts.join(style),
  }));

/** Names of texts, in letters that no word here has. */
const IDS = ['fj', 'fk', 'fp', 'fq', 'jf', 'jk', 'jp', 'jq'];
type Texts = readonly (readonly [id: string, text: string])[];
const textsOf = (words: readonly string[]): Texts =>
  words.map((word, at) => [IDS[at] ?? '', `Kp ${word} kp.`]);

function sourceOf(texts: Texts): ListedSource {
  return {
    name: 'kb',
    list: async () =>
      texts.map(([slug, text]) => ({
        source: 'kb',
        id: `topic/${slug}`,
        hash: text,
        meta: {},
        load: async () => ({
          source: 'kb',
          id: `topic/${slug}`,
          kind: 'subject' as const,
          topic: 'topic',
          path: '',
          title: '',
          hash: text,
          meta: {},
          labels: new Map(),
          chunks: textChunks(text),
        }),
      })),
    describe: async () => [],
  };
}

/** Puts a text for each word into every store. `find` answers with the texts that each way finds by their words. */
async function storesWith(words: readonly string[]) {
  const texts = textsOf(words);
  const { ledger, entryRanker } = ledgerInMemory();
  for (const [id, text] of texts) await ledger.add(adding(id, 1, { title: id, text }));
  const store = indexInMemory();
  const engine = searchEngine({ stores: [store], embedder: undefined });
  const indexed = indexedSubjectRanker({
    store,
    embedder: undefined,
    engine,
    source: sourceOf(texts),
    plain: bm25Ranker,
  });
  const candidates = texts.map(([slug, text]) => ({ slug, text: () => text }));
  const learn = async (ranker: SubjectRanker, query: string) =>
    (await ranker.rank({ topicId: 'topic', words: query, candidates, limit: 10 })).map(({ slug }) => slug);
  // Fills the index.
  await learn(indexed, 'kp');
  return {
    async find(query: string): Promise<Found> {
      const { hits, nearMisses } = await engine.search({ question: query, limit: 10, explain: true });
      const found = [...hits, ...nearMisses].map((hit) => ({
        id: hit.chunk.id.replace('topic/', ''),
        // The engine also guesses at words that no text has, which does not tell what a word is.
        isGuess: !hit.explanation?.words.some(({ takenFor, part }) => part > 0 && !takenFor),
      }));
      const guesses = found.filter(({ isGuess }) => isGuess).map(({ id }) => id);
      const entries = await searchEntries({ ledger, entryRanker, clock: fixedClock(2000) }, { query });
      return {
        search: found.flatMap(({ id, isGuess }) => (isGuess ? [] : [id])).sort(),
        knowledge: entries.map(({ entry }) => entry.id).sort(),
        learn: (await learn(indexed, query)).filter((slug) => !guesses.includes(slug)).sort(),
        learnWithoutIndex: (await learn(bm25Ranker, query)).sort(),
        answer: texts
          .filter(([slug, text]) => answerText(query, foundOf(slug, text)).includes('> Kp'))
          .map(([slug]) => slug),
      };
    },
  };
}

type Found = Record<'search' | 'knowledge' | 'learn' | 'learnWithoutIndex' | 'answer', readonly string[]>;

/** Quoted from its beginning, unless the text below it has a word of the question. */
function foundOf(slug: string, text: string): Finding {
  const uri = `ken://kb/topic/${slug}#L1-L3`;
  return { outcome: 'answers', texts: [{ uri, title: '', text: `Xyzzy.\n\n${text}`, hasLines: true }] };
}

/** All find what has a word of the question, and the offline answer quotes it. */
function expected(query: string, words: readonly string[]): Found {
  const asked = parseQuery(query).words;
  const all = textsOf(words).flatMap(([id, text]) => {
    const terms = new Set(termsOf(text));
    return asked.some(({ term }) => terms.has(term)) ? [id] : [];
  });
  return { search: all, knowledge: all, learn: all, learnWithoutIndex: all, answer: all };
}

const formsOf = ({ parts, whole }: { readonly parts: readonly string[]; readonly whole: string }) => [
  whole,
  ...parts,
  whole.toUpperCase(),
  whole.toLowerCase(),
];
const isTelling = (query: string) =>
  parseQuery(query).words.every(({ written }) => !isStopWordOrFiller(written));

it(
  'every search and the offline answer find the same words and identifiers, in every script',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(identifier, { minLength: 1, maxLength: IDS.length }),
        piece,
        async (all, other) => {
          const words = all.map(({ whole }) => whole);
          const stores = await storesWith(words);
          for (const query of new Set([...all.flatMap(formsOf), other].filter(isTelling)))
            expect([query, await stores.find(query)]).toEqual([query, expected(query, words)]);
          for (const [at, word] of words.entries()) expect(expected(word, words).search).toContain(IDS[at]);
        },
      ),
      { numRuns: scaled(5) },
    );
  },
  scaled(60_000),
);

it.each([
  ['deploy', 'deploys', 'deployed', 'deploying'],
  ['index', 'indexes', 'indexed', 'indexing'],
  ['cache', 'caches', 'cached', 'caching'],
  ['retry', 'retries', 'retried', 'retrying'],
  ['commit', 'commits', 'committed', 'committing'],
])('every search and the offline answer find the forms of %s', async (...forms) => {
  const stores = await storesWith(forms);
  const all = textsOf(forms).map(([id]) => id);
  for (const asked of forms)
    expect([asked, await stores.find(asked)]).toEqual([
      asked,
      { search: all, knowledge: all, learn: all, learnWithoutIndex: all, answer: all },
    ]);
});
