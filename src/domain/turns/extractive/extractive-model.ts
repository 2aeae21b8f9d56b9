/**
 * `ken/extractive`: no language model. It calls the tool `search`, opens the best hits with `show` and answers with
 * quotations from them, each with its citation. It goes through the same loop as any model.
 */

import { withoutTrailing } from '../../../base/text.ts';
import { OFFLINE_MODEL } from '../../conversations/event-text.ts';
import { parseCitation } from '../../search/citations/citation.ts';
import type { Model, ModelEvent, ModelRequest, ModelToolCall, ToolAnswer } from '../model/model.ts';
import { answerText, type Finding, type FoundText, questionWords } from './answer-text.ts';

export const extractiveModel: Model = {
  name: OFFLINE_MODEL,
  async *stream(request) {
    yield* reply(request);
  },
};

function* reply(request: ModelRequest): Generator<ModelEvent> {
  const { question, answers } = progress(request);
  const calls = nextCalls(request, question, answers);
  if (calls.length > 0) {
    for (const call of calls) yield { type: 'tool-call', call };
    yield { type: 'finish', finish: 'tool-calls' };
    return;
  }
  const failed = answers.find(({ name, isError }) => name === 'search' && isError);
  const text = failed
    ? `Nothing was searched: ${failed.text}`
    : answerText(question, opened(foundBy(answers), answers));
  yield { type: 'text-delta', text };
  yield { type: 'finish', finish: 'stop' };
}

/** The question, and the results of what was called for it. */
function progress({ messages }: ModelRequest): { question: string; answers: readonly ToolAnswer[] } {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const answers = messages
    .slice(asked + 1)
    .flatMap((message) => (message.role === 'tool' ? message.results : []));
  const question = messages[asked];
  return { question: question?.role === 'user' ? soughtIn(question.text) : '', answers };
}

/** The first paragraph that ends with a question mark, else the first one. */
function soughtIn(text: string): string {
  const paragraphs = text
    .replace(ATTACHED, '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  return soughtInParagraph(paragraphs.find((paragraph) => paragraph.endsWith('?')) ?? paragraphs[0] ?? '');
}

/** Characters; a search takes 8 KiB. */
const LONGEST = 2000;

/** A paste without empty lines: its first line that ends with a question mark, else its beginning. */
function soughtInParagraph(paragraph: string): string {
  if (paragraph.length <= LONGEST) return paragraph;
  const asked = paragraph.split('\n').find((line) => line.trimEnd().endsWith('?'));
  return (asked ?? paragraph).slice(0, LONGEST).toWellFormed().trim();
}

/** Attachments that `historyMessages` puts before the question. */
const ATTACHED =
  /^(?:Attached ".*":\n\n(?:(?<fence>`{3,})[\s\S]*?\n\k<fence>|Between .*\n<<<data (?<id>\w+)\n[\s\S]*?\n\k<id> data>>>)\n\n)+/;

const HITS = 5;
/** So many of the hits are opened at most. */
const OPENED = 3;

function nextCalls(
  { tools }: ModelRequest,
  question: string,
  answers: readonly ToolAnswer[],
): ModelToolCall[] {
  const has = (wanted: string) => tools.some(({ name }) => name === wanted);
  if (questionWords(question).length === 0 || !has('search')) return [];
  if (answers.length === 0)
    return [{ id: 'extractive-search', name: 'search', arguments: { question, limit: HITS } }];
  if (!has('show') || answers.some(({ name }) => name === 'show')) return [];
  const { outcome, texts } = foundBy(answers);
  const wanted = texts.slice(0, outcome === 'answers' ? OPENED : 1).filter(({ uri }) => canBeOpened(uri));
  return wanted.map(({ uri }) => ({ id: showId(uri), name: 'show', arguments: { uri } }));
}

/** A turn is quoted as the search found it: the whole of it has the question too. */
function canBeOpened(uri: string): boolean {
  const kind = parseCitation(uri)?.kind;
  return kind !== undefined && kind !== 'turn';
}

function showId(uri: string): string {
  return `extractive-show ${uri}`;
}

/** As the tool `search` writes a hit: number, citation and marks, then title and text in a fence. */
const HIT = /^\d+\. (ken:\S+) \([^\n]*\)\n<<<data (\S+)\n([\s\S]*?)\n\2 data>>>$/gm;
/** The nearest stand in one fence, a citation and a title on each line. */
const NEAREST = /^Nothing answers this\.[^\n]*\n\n<<<data (\S+)\n([\s\S]*?)\n\1 data>>>$/m;

function foundBy(answers: readonly ToolAnswer[]): Finding {
  const answer = answers.find(({ name }) => name === 'search');
  if (!answer) return { outcome: 'nothing', texts: [] };
  const near = NEAREST.exec(answer.text)?.[2]?.split('\n') ?? [];
  if (near.length > 0) return { outcome: 'nearest', texts: near.map(titledAddress) };
  const texts = [...answer.text.matchAll(HIT)].map(([, uri = '', , text = '']) => ({
    uri,
    title: text.split('\n', 1)[0] ?? '',
    text,
    hasLines: false,
  }));
  return { outcome: texts.length > 0 ? 'answers' : 'nothing', texts };
}

function titledAddress(line: string): FoundText {
  const [uri = ''] = line.split(' ', 1);
  const title = line.slice(uri.length + 1);
  return { uri, title, text: title, hasLines: false };
}

/** With the texts as `show` opened them, where it did: their lines can be cited. */
function opened({ outcome, texts }: Finding, answers: readonly ToolAnswer[]): Finding {
  const shown = new Map(answers.flatMap((each) => (each.isError ? [] : [[each.id, each.text] as const])));
  return {
    outcome,
    texts: texts.map((found) => {
      const text = shown.get(showId(found.uri));
      return text === undefined ? found : { ...found, text: citedText(text), hasLines: true };
    }),
  };
}

/** Without the fence around it and what `show` adds below it. */
function citedText(text: string): string {
  const fenced = /^Between "<<<data [^\n]*\n\n<<<data (\S+)\n([\s\S]*?)\n\1 data>>>/.exec(text)?.[2];
  return (
    fenced ?? withoutTrailing(text.replace(/\n\((?:cut: |the content has changed since)[^\n]*\)$/, ''), '\n')
  );
}
