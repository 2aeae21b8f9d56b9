import { gathered, requiredText, table, text, whole } from '../build-node.ts';

const SYSTEM_PROMPT =
  'You are a careful assistant with access to a body of knowledge. Prefer what that knowledge says over what ' +
  'you remember, name the sources you used, and say plainly when you do not know.';

const section = table(
  'A part of the system prompt.',
  {
    title: text('A heading above the content.'),
    tag: text('A tag around the content.'),
    content: requiredText('The text itself.'),
    position: whole('Lower ones come first.', { default: 0, min: -1_000_000 }),
  },
  { required: ['content'] },
);

export const assistant = table('The assistant that answers queries.', {
  name: text('Its identity, written into what it creates.', { default: 'ken' }),
  model: text('provider/model; ken/extractive needs no language model.', { default: 'ken/extractive' }),
  system_prompt: text('The first words of the system prompt.', { default: SYSTEM_PROMPT }),
  turn_limit: whole('Most model calls in one turn.', { default: 25, min: 1 }),
  instructions: gathered('Instructions, one a line of the system prompt.', text('An instruction.')),
  sections: gathered('Further parts of the system prompt.', section),
  request: table('How a model is asked.', {
    max_retries: whole('Attempts after an overload, a rate limit or a dropped stream.', { default: 5 }),
    idle_timeout_s: whole('A stream silent for so many seconds is dropped.', { default: 60, min: 1 }),
    max_output_tokens: whole("Longest answer; absent: the provider's own limit.", { min: 1 }),
  }),
});
