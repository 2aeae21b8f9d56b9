import { expect, it } from 'vitest';
import type { ConversationEvent } from './event.ts';
import { transcript } from './transcript.ts';

const AT = '2026-03-09T08:11:00.000Z';
const OPTIONS = { title: 'Talk', tools: false, reasoning: false };
const said = (text: string): ConversationEvent => ({ type: 'user_message', at: AT, text });

it.each([
  ['<command-name>/review</command-name><command-args>src/a.ts</command-args>', '`/review src/a.ts`'],
  ['<command-message>clear</command-message>\n<command-name>/clear</command-name>', '`/clear`'],
  ['What does <command-name>/x</command-name> mean?', 'What does <command-name>/x</command-name> mean?'],
])('shows a command that was typed as it was typed: %s', (text, shown) => {
  expect(transcript([said(text)], OPTIONS)).toBe(`# Talk\n\n**You**\n\n${shown}`);
});

it('says where an image was', () => {
  const image = { type: 'image', source: { type: 'base64', data: 'AAAA' } };
  const events: ConversationEvent[] = [
    { type: 'foreign', content: { original: image } },
    said('What is this?'),
  ];
  expect(transcript(events, OPTIONS)).toBe(
    '# Talk\n\n_An image, not shown here._\n\n**You**\n\nWhat is this?',
  );
});
