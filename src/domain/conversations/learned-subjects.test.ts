import { expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { ConversationEvent } from './event.ts';
import { learnedSubjects } from './event-text.ts';

const call = (name: string, given: Json): ConversationEvent => ({
  type: 'tool_call',
  at: '2026-01-01T00:00:00.000Z',
  id: 'c',
  name,
  arguments: given,
});

it('tells each subject once, sorted, of calls of learn alone', () => {
  const events = [
    call('learn', { topic: 'project', subjects: ['deploy', 'build'] }),
    call('learn', { topic: 'project', subjects: 'deploy' }),
    call('learn', { topic: 'a', subjects: ['*', 7] }),
    call('other', { topic: 'project', subjects: ['secret'] }),
  ];
  expect(learnedSubjects(events)).toEqual(['a/*', 'project/build', 'project/deploy']);
});

it.each([
  null,
  'text',
  7,
  [],
  {},
  { topic: 'x' },
  { topic: 7, subjects: ['y'] },
  { topic: 'x', subjects: {} },
])('makes nothing of a call with %j', (given) => {
  expect(learnedSubjects([call('learn', given)])).toEqual([]);
});
