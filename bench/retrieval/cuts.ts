/** Collections cut to fewer documents, with questions that have an answer there and questions that have none. */

import { fnv1aOfText } from '../../src/base/checksum.ts';
import { type Collection, type CollectionText, originOf, type Question } from './collections.ts';

/** Numbers of documents; `whole` is all of them. */
export const SIZES = [5, 50, 500, 5000, 'whole'] as const;
export type Size = (typeof SIZES)[number];

/** How many cuts of a size are made, and how many questions of each sort are put to each of them. */
const PLAN: Readonly<Record<Size, { cuts: number; own: number; others: number }>> = {
  5: { cuts: 30, own: 3, others: 4 },
  50: { cuts: 4, own: 25, others: 30 },
  500: { cuts: 1, own: 120, others: 120 },
  5000: { cuts: 1, own: 150, others: 120 },
  whole: { cuts: 1, own: Number.POSITIVE_INFINITY, others: 150 },
};

export interface Cut {
  readonly collection: string;
  readonly size: Size;
  /** Its number among the cuts of one size. */
  readonly number: number;
  readonly texts: readonly CollectionText[];
  readonly asked: readonly AskedQuestion[];
  /** The same without the answers to the near misses; absent: none of `texts` answers them. */
  readonly withoutAnswers?: readonly CollectionText[];
}

/**
 * `own`: a document of the cut answers it. `near-miss`: it is of the same collection, and what answers it is not there.
 * `foreign`: it is of another collection. `nonsense`: words that mean nothing together.
 */
export type Sort = 'own' | 'near-miss' | 'foreign' | 'nonsense';

export interface AskedQuestion extends Question {
  readonly sort: Sort;
  /** The collection it is of. */
  readonly from: string;
}

/** Pairs of collections whose READMEs name the same repositories: a question of one may well be answered by the other. */
const RELATED = ['commit-file-dev', 'devdocs-q-dev', 'ts-jsdoc-dev'];

function isUnrelated(name: string, from: string): boolean {
  const asked = originOf(name);
  return asked !== from && !(RELATED.includes(asked) && RELATED.includes(from));
}

export function cutsOf(collection: Collection, size: Size, all: readonly Collection[]): Cut[] {
  const documents = Map.groupBy(collection.texts, ({ document }) => document);
  if (size !== 'whole' && documents.size <= size) return [];
  const { cuts } = PLAN[size];
  return Array.from({ length: cuts }, (_, number) => {
    const random = generator(`${collection.name} ${size} ${number}`);
    const foreign = foreignQuestions(collection, all, PLAN[size].others, random);
    return size === 'whole'
      ? wholeCut(collection, foreign, random)
      : smallerCut(collection, { size, number, documents, foreign, random });
  });
}

function wholeCut(collection: Collection, foreign: AskedQuestion[], random: Random): Cut {
  const { name, texts, questions } = collection;
  const near = shuffled(questions, random).slice(0, PLAN.whole.others);
  const gone = new Set(near.flatMap(({ relevant }) => [...relevant.keys()]));
  const own = questions.map((question) => ({ ...question, sort: 'own' as const, from: name }));
  return {
    collection: name,
    size: 'whole',
    number: 0,
    texts,
    asked: [...own, ...nearMisses(near, name), ...foreign],
    withoutAnswers: texts.filter(({ document }) => !gone.has(document)),
  };
}

interface CutPlan {
  readonly size: Exclude<Size, 'whole'>;
  readonly number: number;
  readonly documents: ReadonlyMap<string, readonly CollectionText[]>;
  readonly foreign: AskedQuestion[];
  readonly random: Random;
}

/** A third of it or more are documents that nobody asks for. */
function smallerCut({ name, questions }: Collection, plan: CutPlan): Cut {
  const { size, number, documents, random } = plan;
  const order = shuffled(questions, random);
  const group = size <= 500 ? order[0]?.group : undefined;
  const inGroup = order.filter((question) => group === undefined || question.group === group);
  const chosen = new Set<string>();
  const wanted = Math.min(PLAN[size].own, Math.floor((size * 2) / 3));
  const own: Question[] = [];
  for (const question of inGroup) {
    if (own.length >= wanted || chosen.size >= (size * 2) / 3) break;
    const kept = [...question.relevant].filter(([id]) => documents.has(id)).slice(0, 2);
    for (const [id] of kept) chosen.add(id);
    own.push({ ...question, relevant: new Map(kept) });
  }
  for (const [id, [first]] of shuffled([...documents], random)) {
    if (chosen.size >= size) break;
    if (group === undefined || first?.group === group) chosen.add(id);
  }
  // A relevant document may have come in by chance.
  const answered = own.map((question) => ({ ...question, relevant: present(question, questions, chosen) }));
  const near = inGroup.filter(({ relevant }) => [...relevant.keys()].every((id) => !chosen.has(id)));
  return {
    collection: name,
    size,
    number,
    texts: [...chosen].flatMap((id) => documents.get(id) ?? []),
    asked: [
      ...answered.map((question) => ({ ...question, sort: 'own' as const, from: name })),
      ...nearMisses(near.slice(0, PLAN[size].others), name),
      ...plan.foreign,
    ],
  };
}

function present({ id }: Question, questions: readonly Question[], chosen: ReadonlySet<string>) {
  const { relevant } = questions.find((each) => each.id === id) as Question;
  return new Map([...relevant].filter(([document]) => chosen.has(document)));
}

function nearMisses(questions: readonly Question[], from: string): AskedQuestion[] {
  return questions.map((question) => ({ ...question, relevant: new Map(), sort: 'near-miss', from }));
}

/** As many of each unrelated collection, and a few of no sense at all; none is bound to a group. */
function foreignQuestions(
  { name }: Collection,
  all: readonly Collection[],
  count: number,
  random: Random,
): AskedQuestion[] {
  const others = all.filter((each) => isUnrelated(name, each.name));
  const foreign = Array.from({ length: count }, (_, at): AskedQuestion => {
    const { name: from, questions } = others[at % others.length] as Collection;
    const { id, text } = questions[Math.floor(random() * questions.length)] as Question;
    return { id, text, relevant: new Map(), sort: 'foreign', from };
  });
  const words = foreign.flatMap(({ text }) => text.split(/\s+/)).filter((word) => word.length > 3);
  const nonsense = Array.from({ length: Math.ceil(count / 4) }, (_, at): AskedQuestion => {
    const text = Array.from({ length: 5 }, () => words[Math.floor(random() * words.length)]).join(' ');
    return { id: `nonsense-${at}`, text, relevant: new Map(), sort: 'nonsense', from: '' };
  });
  return [...foreign, ...nonsense];
}

type Random = () => number;

/** Mulberry32: the same numbers in every run. */
function generator(seed: string): Random {
  let state = fnv1aOfText(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const result = [...items];
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [result[at], result[other]] = [result[other] as Item, result[at] as Item];
  }
  return result;
}
