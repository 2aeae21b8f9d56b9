/** The public types, as a program sees them; the compiler checks this file with the others. */

import { isKenError, openWorkspace } from 'ken';
import { expectTypeOf } from 'vitest';
import type { AskEnd, AskEvent, Asking } from '../../src/entry/library-ask-types.ts';
import type { Claim, ConversationSummary, SubjectFile } from '../../src/entry/library-change-types.ts';
import type {
  AddedFact,
  JsonValue,
  Ken,
  KenError,
  KenErrorCode,
  KenErrorKind,
  SearchAnswer,
  SearchHit,
} from '../../src/entry/library-types.ts';

expectTypeOf(openWorkspace).parameter(0).toEqualTypeOf<string>();
expectTypeOf(openWorkspace).returns.resolves.toEqualTypeOf<Ken>();
expectTypeOf<Ken>().toExtend<AsyncDisposable>();

declare const ken: Ken;
declare const caught: unknown;

expectTypeOf(ken.root).toEqualTypeOf<string>();
expectTypeOf(ken.learn).toBeCallableWith('topic', ['a', 'b*']);
expectTypeOf(ken.learn).toBeCallableWith('topic');
expectTypeOf(ken.search).toBeCallableWith(
  'question',
  { in: ['kb', 'refs'], limit: 3 },
  AbortSignal.timeout(1),
);
expectTypeOf(ken.search).returns.resolves.toEqualTypeOf<SearchAnswer>();
expectTypeOf<SearchAnswer['outcome']>().toEqualTypeOf<'answers' | 'nearest' | 'nothing'>();
expectTypeOf<SearchHit['citation']['lines']>().toEqualTypeOf<
  { readonly first: number; readonly last: number } | undefined
>();
expectTypeOf(ken.addFact).returns.resolves.toEqualTypeOf<AddedFact>();
expectTypeOf(ken.verifyFacts).returns.resolves.items.toHaveProperty('verdict');
expectTypeOf(ken.rules).returns.resolves.items.toHaveProperty('text').toEqualTypeOf<string>();
expectTypeOf(ken.jobs).toBeCallableWith({ all: true });
expectTypeOf(ken.approvals).returns.resolves.items.toHaveProperty('status');
expectTypeOf(ken.changeConversation).toBeCallableWith('@last', { title: 'x', pinned: true, archived: false });
expectTypeOf(ken.forkConversation).toBeCallableWith(
  '@last',
  { turns: 1, labels: ['a=b'] },
  AbortSignal.timeout(1),
);
expectTypeOf(ken.forkConversation).returns.resolves.toEqualTypeOf<ConversationSummary>();
expectTypeOf(ken.exportConversation).parameter(1).toEqualTypeOf<'md' | 'jsonl' | undefined>();
expectTypeOf(ken.deleteConversation).returns.resolves.toBeVoid();
expectTypeOf(ken.addSubject).returns.resolves.toEqualTypeOf<SubjectFile>();
expectTypeOf(ken.moveSubject).toBeCallableWith('topic', 'slug', 'other/slug');
expectTypeOf(ken.claims).returns.resolves.items.toEqualTypeOf<Claim>();
expectTypeOf(ken.stateClaim).returns.resolves.toHaveProperty('action');
expectTypeOf(ken.copiesOf).parameter(0).toEqualTypeOf<'entry' | 'conversation'>();
expectTypeOf(ken.topics).returns.resolves.items.toHaveProperty('subjects');
expectTypeOf(ken.editSubject).returns.resolves.toEqualTypeOf<SubjectFile>();
expectTypeOf(ken.deleteSubject).returns.resolves.toBeVoid();
expectTypeOf(ken.conversations).toBeCallableWith({ labels: ['a=b', '!c'], archived: true, limit: 3 });
expectTypeOf(ken.conversations).returns.resolves.items.toEqualTypeOf<ConversationSummary>();
expectTypeOf(ken.relabel).returns.resolves.toEqualTypeOf<ConversationSummary>();
expectTypeOf(ken.references).returns.resolves.items.toHaveProperty('fetchedAt');
expectTypeOf(ken.searchReferences).toBeCallableWith('question', { topic: 'hono', kind: 'docs', limit: 3 });
expectTypeOf(ken.searchReferences).returns.resolves.toEqualTypeOf<SearchAnswer>();
expectTypeOf(ken.searchFacts).toBeCallableWith('words', { limit: 3, asOf: '2026-11-15' });
expectTypeOf(ken.searchFacts).returns.resolves.items.toHaveProperty('provenance');
expectTypeOf(ken.factHistory).returns.resolves.toHaveProperty('versions');
expectTypeOf(ken.show).toBeCallableWith('ken://kb/project/deploy#L3', { sha256: 'ab' });
expectTypeOf(ken.show).returns.resolves.toEqualTypeOf<{
  readonly text: string;
  readonly isChanged: boolean;
}>();
expectTypeOf(ken.tools).returns.resolves.items.toHaveProperty('parameters');
expectTypeOf(ken.close).returns.resolves.toBeVoid();
expectTypeOf(ken.call).parameter(1).toEqualTypeOf<Readonly<Record<string, JsonValue>>>();

// A turn is followed by its events, or read to its end.
expectTypeOf(ken.ask('question')).toEqualTypeOf<Asking>();
expectTypeOf<Asking>().toExtend<AsyncIterable<AskEvent>>();
expectTypeOf(ken.ask('question').answer).returns.resolves.toEqualTypeOf<AskEnd>();
expectTypeOf<Extract<AskEvent, { type: 'text-delta' }>['text']>().toEqualTypeOf<string>();
expectTypeOf<Extract<AskEvent, { type: 'turn-end' }>['end']>().toEqualTypeOf<AskEnd>();

if (isKenError(caught)) {
  expectTypeOf(caught).toEqualTypeOf<KenError>();
  expectTypeOf(caught.code).toEqualTypeOf<KenErrorCode>();
  expectTypeOf(caught.kind).toEqualTypeOf<KenErrorKind>();
  expectTypeOf(caught.hint).toEqualTypeOf<string | undefined>();
}
expectTypeOf<'workspace/closed'>().toExtend<KenErrorCode>();

// @ts-expect-error A topic is a text.
void ken.learn(3);
// @ts-expect-error There is no such part.
void ken.search('x', { in: ['everything'] });
// @ts-expect-error A fact needs its provenance.
void ken.addFact({ title: 'x', text: 'y' });
// @ts-expect-error A program cannot decide.
void ken.approve;
// @ts-expect-error A program cannot erase.
void ken.erase;
// @ts-expect-error There is no such format.
void ken.exportConversation('@last', 'html');
// @ts-expect-error Records are not changed.
ken.root = '/';
// @ts-expect-error There is no such code.
expectTypeOf<'workspace/nonsense'>().toExtend<KenErrorCode>();
