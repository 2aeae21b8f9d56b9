import { expect, it } from 'vitest';
import { quotedHeading } from '../../knowledge-base/knowledge-section.ts';
import { textBlocks } from '../../search/index/text-blocks.ts';
import type { ModelEvent, ModelRequest } from '../model/model.ts';
import { answerText, questionWords } from './answer-text.ts';
import { extractiveModel } from './extractive-model.ts';
import { preloadedIn, topicsIn } from './knowledge-in-request.ts';

const learn = {
  name: 'learn',
  description: 'Learn.\n\nAvailable topics:\n\n- project (**The Project**): all of it\n- skills',
  parameters: {},
};
const TOPICS = [{ id: 'project', title: 'The Project' }, { id: 'skills' }];
const asked: ModelRequest = {
  system: '',
  messages: [{ role: 'user', text: 'How do we deploy?' }],
  tools: [learn],
};
const replyTo = (request: ModelRequest): Promise<ModelEvent[]> =>
  Array.fromAsync(extractiveModel(TOPICS).stream(request, new AbortController().signal));

it('knows the topics from the tool, and what is in the system prompt', () => {
  expect(topicsIn(asked)).toEqual([
    { id: 'project', title: 'The Project' },
    { id: 'skills', title: 'skills' },
  ]);
  const system = '<topic "The Project">\n\n<subject "people/ada">\nAda deploys.\n</subject>\n</topic>';
  expect(preloadedIn({ system }, TOPICS)).toEqual([
    { topic: 'project', slug: 'people/ada', text: 'Ada deploys.' },
  ]);
});

it('cites what is in the system prompt by ids, whatever the titles are', () => {
  const titled = [
    { id: 'ops', title: 'A "b" <c>\n& d' },
    { id: 'other', title: 'ops' },
  ];
  const system = titled
    .map(
      (topic) => `<topic ${quotedHeading(topic)}>\n\n<subject "a&quot;b">\n${topic.id}\n</subject>\n</topic>`,
    )
    .join('\n');
  expect(preloadedIn({ system }, titled)).toEqual([
    { topic: 'ops', slug: 'a"b', text: 'ops' },
    { topic: 'other', slug: 'a"b', text: 'other' },
  ]);
});

it.each([
  ['How do we deploy?', 'How do we deploy?'],
  ['Who is the captain?\n\ndiff --git a/x b/x\n\n+ a ? b : c', 'Who is the captain?'],
  ['Deploying\n\nsome log\n\nmore of it', 'Deploying'],
  ['I read the guide.\n\nHow do we deploy?', 'How do we deploy?'],
  [
    `Attached "a \\"b\\".md":\n\n\`\`\`\`\nWhy?\n\n\`\`\`\n\`\`\`\`\n\nHow do we deploy?`,
    'How do we deploy?',
  ],
  [
    'Attached "https://a.example":\n\nBetween "<<<data 12ab" and …\n<<<data 12ab\nWhy?\n12ab data>>>\n\nHow do we deploy?',
    'How do we deploy?',
  ],
])('looks for what %j asks', async (text, search) => {
  const events = await replyTo({ ...asked, messages: [{ role: 'user', text }] });
  const searches = events.flatMap((event) => (event.type === 'tool-call' ? [event.call.arguments] : []));
  expect(searches[0]).toEqual({ topic: 'project', question: search });
});

it('searches every topic first, then learns the best, then quotes', async () => {
  const searching = await replyTo(asked);
  expect(searching.flatMap((event) => (event.type === 'tool-call' ? [event.call.arguments] : []))).toEqual([
    { topic: 'project', question: 'How do we deploy?' },
    { topic: 'skills', question: 'How do we deploy?' },
  ]);
  const calls = searching.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
  const found =
    '# Topic\n\n- ops/deploy (Deploy)\n  passage\n\n- people/ada (Ada) [already in the system prompt]\n  passage';
  const results = calls.map(({ id }, at) => ({
    id,
    name: 'learn',
    text: at === 0 ? found : 'nothing',
    isError: at > 0,
  }));
  const messages: ModelRequest['messages'] = [
    ...asked.messages,
    { role: 'assistant', parts: calls.map((call) => ({ type: 'tool-call', ...call })) },
    { role: 'tool', results },
  ];
  const learning = await replyTo({ ...asked, messages });
  const second = learning.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
  expect(second.map((call) => call.arguments)).toEqual([{ topic: 'project', subjects: ['ops/deploy'] }]);
  const text = '# Deploy\n\nWe never rush.\n\nTo deploy, run `make deploy`.\n';
  const answered = await replyTo({
    ...asked,
    messages: [
      ...messages,
      { role: 'assistant', parts: second.map((call) => ({ type: 'tool-call', ...call })) },
      { role: 'tool', results: second.map(({ id }) => ({ id, name: 'learn', text, isError: false })) },
    ],
  });
  expect(answered).toEqual([
    {
      type: 'text-delta',
      text:
        'Quoted from what ken knows; no language model has read or judged it.\n\n' +
        '> To deploy, run `make deploy`.\n\n— ken://kb/project/ops/deploy#L5 (Deploy)',
    },
    { type: 'finish', finish: 'stop' },
  ]);
});

it('says plainly that nothing answers', async () => {
  expect(answerText('What colour is the moon?', [{ topic: 'p', slug: 'ops', text: 'We deploy.' }])).toBe(
    'Nothing that ken knows here answers this. Nearest to it: p/ops.',
  );
  const [only] = await replyTo({ ...asked, tools: [] });
  expect(only).toEqual({ type: 'text-delta', text: 'Nothing that ken knows here answers this.' });
});

it('takes the same word in other forms for the same', () => {
  const words = questionWords('When was it deployed, deploying or deploys?');
  expect(words.map(({ term }) => term)).toEqual(['deploi']);
});

it('cuts a text into blocks that know their lines and headings', () => {
  const text = '# A\n\none\ntwo\n\n## B\n\n```\nx\n\ny\n```\n\nlast';
  expect(textBlocks(text)).toEqual([
    { text: 'one\ntwo', first: 3, last: 4, heading: 'A' },
    { text: '```\nx\n\ny\n```', first: 8, last: 12, heading: 'A › B' },
    { text: 'last', first: 14, last: 14, heading: 'A › B' },
  ]);
});

it('counts the lines of a file that comes in a fence from the file’s own first', () => {
  expect(
    answerText('Which port?', [{ topic: 'p', slug: 'limits', text: '```toml\nport = 80\n```' }]),
  ).toContain('— ken://kb/p/limits#L1-L2');
});
