import type { Json } from '../../base/json.ts';
import { choice, flag, gathered, map, shorthand, table, text, whole } from '../build-node.ts';
import { command } from './command.ts';
import { LABEL_KEY } from './names.ts';
import { tools } from './tools.ts';

const label = shorthand(
  'A label: its value, or { value, apply_on, run, timeout }.',
  table('A label with its rules.', {
    value: shorthand(
      'A text, or { cmd } whose output becomes the value.',
      table('A command.', { cmd: command }),
    ),
    apply_on: table('When it is put on by itself.', {
      new: flag('On a new conversation.', { default: true }),
      fork: flag('Again on a fork.', { default: false }),
    }),
    run: choice('Whether its command may run.', ['ask', 'unattended', 'deny'], { default: 'ask' }),
    timeout: whole('Seconds its command may take.', { default: 10, min: 1, max: 3600 }),
  }),
  { expand: (value) => ({ value }), trustedWhen: namesCommand },
);

export const conversation = table('Conversations.', {
  labels: map('Labels by key.', LABEL_KEY, label, { hasStrategies: true }),
  tools,
  attachments: gathered(
    'What every query carries along: files, globs, directories, http(s): and cmd: sources.',
    text('A path or a source.', { trustedWhen: (value) => /^(https?|cmd):/i.test(String(value).trim()) }),
  ),
  start_local: flag('Keep new conversations out of the workspace.', { default: false }),
  title: table('Titles.', {
    generate: flag('Ask the model for one.', { default: false }),
  }),
});

/** A command, or leave to run one that stands elsewhere. */
function namesCommand(value: Json): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { value: inner, run } = value as Record<string, Json>;
  if (inner === undefined) return run === 'unattended';
  return typeof inner === 'object' && inner !== null;
}
