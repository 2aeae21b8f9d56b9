import { splitCommand } from '../../base/shell-words.ts';
import { flag, list, requiredText, shorthand, table, text } from '../build-node.ts';

const parts = table(
  'A program with its arguments.',
  {
    program: requiredText('The program.'),
    args: list('Its arguments.', text('An argument.')),
    shell: flag('Run it through sh -c.', { default: false }),
  },
  { required: ['program'] },
);

/** `"git log"`, split as a shell would, or `{ program, args, shell }`. */
export const command = shorthand('A command: a text, or program, args and shell.', parts, {
  problem: (line) => (splitCommand(line) ? undefined : 'has an unbalanced quote'),
});
