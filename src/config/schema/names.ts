import { splitCommand } from '../../base/shell-words.ts';
import { flag, list, requiredText, shorthand, table, text } from './build-node.ts';
import type { KeyRule } from './node.ts';

export const NAME: KeyRule = {
  pattern: /^[A-Za-z0-9_-]+$/,
  hint: 'Use letters, digits, "_" and "-".',
};

export const LABEL_KEY: KeyRule = {
  pattern: /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?$/,
  hint: 'A label key starts with a letter or digit, has letters, digits, "_" and "-", and does not end in "-".',
};

export const TOOL_NAME: KeyRule = {
  pattern: /^(?:\*|[A-Za-z0-9_-]{1,64})$/,
  hint: 'Use letters, digits, "_" and "-", at most 64; "*" holds defaults for local and mcp tools.',
};

export const ANY_NAME: KeyRule = {
  pattern: /^[^\p{Cc}]+$/u,
  hint: 'Control characters are not allowed.',
};

const parts = table(
  'A program with its arguments.',
  {
    program: requiredText('The program.'),
    args: list('Its arguments.', text('An argument.')),
    shell: flag('Run it through sh -c.', { default: false }),
  },
  { required: ['program'] },
);

/** `"git log"`, split as a shell splits it, or `{ program, args, shell }`. */
export const command = shorthand('A command: a text, or program, args and shell.', parts, {
  problem: (line) => (splitCommand(line) ? undefined : 'has an unbalanced quote'),
});
