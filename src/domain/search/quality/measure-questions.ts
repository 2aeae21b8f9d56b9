import type { LineRange } from '../../../base/text.ts';
import { parseQuery } from '../../words/parse-query.ts';
import type { Citation } from '../citations/citation.ts';
import { searchEngine } from '../engine/search-engine.ts';
import { BLOCK_SIZE } from '../index/chunk-blocks.ts';
import type { Embedder } from '../index/embedder.ts';
import type { StoredChunk } from '../index/index-item.ts';
import { type Group, type IndexStore, NOTHING_KNOWN } from '../index/index-store.ts';
import type { Outcome } from '../ranking/outcome.ts';
import { meanQuality, percentile, type RankingQuality, rankingQuality } from './ranking-quality.ts';
import type { Expected, ExpectingQuestion } from './read-questions.ts';

export const RANKINGS = ['grep', 'bm25', 'hybrid'] as const;
export type RankingName = (typeof RANKINGS)[number];

export interface MeasurePorts {
  readonly stores: readonly IndexStore[];
  readonly embedder: Embedder | undefined;
  isWantedGroup(group: Group): boolean;
  /** Monotonic milliseconds, with fractions. */
  elapsed(): number;
}

export interface Measured extends RankingQuality {
  readonly p50: number;
  readonly p95: number;
  /** Shares of the questions; undefined for a ranking that never abstains. */
  readonly outcomes: Readonly<Record<Outcome, number>> | undefined;
}

export interface Measurement {
  readonly rankings: Readonly<Record<RankingName, Measured>>;
  readonly questions: readonly QuestionRanks[];
  /** Expected places that are not in the index. */
  readonly unknown: readonly { readonly line: number; readonly expected: string }[];
}

export interface QuestionRanks {
  readonly question: string;
  /** Rank of the first expected hit, from 1; undefined when it is not among the first hundred. */
  readonly ranks: Readonly<Record<RankingName, number | undefined>>;
}

const DEPTH = 100;
const PER_ITEM = 3;

interface Answer {
  readonly chunks: readonly StoredChunk[];
  readonly outcome?: Outcome;
}

export async function measureQuestions(
  ports: MeasurePorts,
  questions: readonly ExpectingQuestion[],
  signal: AbortSignal,
): Promise<Measurement> {
  const chunks = await allChunks(ports.stores, ports.isWantedGroup);
  const answerers = {
    grep: byGrep(chunks),
    bm25: byEngine(ports, undefined),
    hybrid: byEngine(ports, ports.embedder),
  };
  const runs = { grep: new Run(), bm25: new Run(), hybrid: new Run() };
  for (const asked of questions) {
    for (const name of RANKINGS) {
      signal.throwIfAborted();
      const started = ports.elapsed();
      const answer = await answerers[name](asked.question);
      runs[name].add(asked, answer, ports.elapsed() - started);
    }
  }
  return {
    rankings: { grep: runs.grep.result(), bm25: runs.bm25.result(), hybrid: runs.hybrid.result() },
    questions: questions.map(({ question }, at) => ({
      question,
      ranks: { grep: runs.grep.ranks[at], bm25: runs.bm25.ranks[at], hybrid: runs.hybrid.ranks[at] },
    })),
    unknown: questions.flatMap(({ line, expected }) =>
      expected
        .filter((each) => !chunks.some((chunk) => matchesExpected(chunk, each)))
        .map(({ text }) => ({ line, expected: text })),
    ),
  };
}

async function allChunks(
  stores: readonly IndexStore[],
  isWantedGroup: (group: Group) => boolean,
): Promise<StoredChunk[]> {
  const found: StoredChunk[] = [];
  for (const store of stores) {
    const { groups, chunkBlocks } = await store.snapshot({
      known: NOTHING_KNOWN,
      terms: [],
      filter: undefined,
    });
    const wanted = new Set(groups.filter(isWantedGroup).map(({ number }) => number));
    for (const block of chunkBlocks.toSorted((a, b) => a.number - b.number)) {
      const numbers = [...block.present.keys()].filter(
        (at) => block.present[at] === 1 && wanted.has(block.groups[at] as number),
      );
      found.push(...(await store.chunks(numbers.map((at) => block.number * BLOCK_SIZE + at))));
    }
  }
  return found;
}

function byGrep(chunks: readonly StoredChunk[]): (question: string) => Promise<Answer> {
  const ranking = grepRanking(
    chunks.map((chunk) => ({ chunk, text: [chunk.title, chunk.path, chunk.heading, chunk.body].join('\n') })),
  );
  return async (question) => ({ chunks: ranking(question, DEPTH).map(({ chunk }) => chunk) });
}

function byEngine(
  { stores, isWantedGroup }: MeasurePorts,
  embedder: Embedder | undefined,
): (question: string) => Promise<Answer> {
  const engine = searchEngine({ stores, embedder });
  return async (question) => {
    const result = await engine.search({ question, limit: DEPTH, perItem: PER_ITEM, isWantedGroup });
    const found = [...result.hits, ...result.nearMisses].map(({ chunk }) => chunk);
    return { chunks: found, outcome: result.outcome };
  };
}

class Run {
  readonly ranks: (number | undefined)[] = [];
  readonly #qualities: RankingQuality[] = [];
  readonly #times: number[] = [];
  readonly #outcomes: Outcome[] = [];

  add({ expected }: ExpectingQuestion, { chunks, outcome }: Answer, milliseconds: number): void {
    const names = namesOf(chunks, expected);
    const relevant = new Map(expected.map((_, at) => [expectedName(at), 1]));
    const first = names.findIndex((name) => relevant.has(name));
    this.ranks.push(first === -1 ? undefined : first + 1);
    this.#qualities.push(rankingQuality(relevant, names));
    this.#times.push(milliseconds);
    if (outcome !== undefined) this.#outcomes.push(outcome);
  }

  result(): Measured {
    const all = this.#outcomes.length;
    const share = (outcome: Outcome) => this.#outcomes.filter((each) => each === outcome).length / all;
    return {
      ...meanQuality(this.#qualities),
      p50: percentile(this.#times, 0.5),
      p95: percentile(this.#times, 0.95),
      outcomes:
        all === 0
          ? undefined
          : { answers: share('answers'), nearest: share('nearest'), nothing: share('nothing') },
    };
  }
}

/** Each name once: expected hits by their position among the expected, others by their item. */
function namesOf(chunks: readonly StoredChunk[], expected: readonly Expected[]): string[] {
  const names = chunks.map((chunk) => {
    const at = expected.findIndex((each) => matchesExpected(chunk, each));
    return at === -1 ? `${chunk.source}\n${chunk.id}` : expectedName(at);
  });
  return [...new Set(names)];
}

function expectedName(at: number): string {
  return `expected ${at}`;
}

export type GrepRanking<Searched> = (question: string, limit: number) => Searched[];

export function grepRanking<Searched extends { readonly text: string }>(
  texts: readonly Searched[],
): GrepRanking<Searched> {
  const lowered = texts.map((searched) => ({ searched, content: searched.text.toLowerCase() }));
  return (question, limit) => {
    const words = parseQuery(question).words.map(({ written }) => written);
    return lowered
      .map(({ searched, content }) => ({
        searched,
        count: words.filter((word) => content.includes(word)).length,
      }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, limit)
      .map(({ searched }) => searched);
  };
}

/** Ignores versions, since a question also expects the next version. */
export function matchesExpected(chunk: StoredChunk, { text, citation }: Expected): boolean {
  if (!citation) return chunk.path === text;
  return isOf(chunk, citation) && overlaps(chunk, 'lines' in citation ? citation.lines : undefined);
}

function isOf(chunk: StoredChunk, citation: Citation): boolean {
  switch (citation.kind) {
    case 'subject':
      return chunk.kind === 'subject' && chunk.id === `${citation.topic}/${citation.slug}`;
    case 'reference':
      return chunk.kind === 'chunk' && chunk.topic === citation.topicId && chunk.path === citation.path;
    case 'entry':
      return chunk.kind === 'entry' && chunk.id === citation.id;
    case 'turn':
      return (
        chunk.kind === 'turn' &&
        chunk.id === citation.conversation &&
        (citation.turn === undefined || chunk.heading === `turn ${citation.turn}`)
      );
  }
}

function overlaps({ firstLine, lastLine }: StoredChunk, lines: LineRange | undefined): boolean {
  return !lines || lastLine === 0 || (firstLine <= lines.last && lastLine >= lines.first);
}
