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
  problem: (line) => (hasOpenQuote(line) ? 'has an unbalanced quote' : undefined),
});

function hasOpenQuote(line: string): boolean {
  let open = '';
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? '';
    if (letter === '\\' && open !== "'") at += 1;
    else if (open === '' && (letter === '"' || letter === "'")) open = letter;
    else if (letter === open) open = '';
  }
  return open !== '';
}
