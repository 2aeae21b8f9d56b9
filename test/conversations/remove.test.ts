import { describe, expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import { ptyProblem } from '../cli/pty.ts';
import { talk } from './talk.ts';

const problem = ptyProblem();
const ASKS = 'yes / no [no]: ';

async function oneConversation(question = 'hi') {
  const place = await talk();
  await place.ken(['q', '-n', question]);
  const [id = ''] = place.conversations();
  return { place, id };
}

describe.skipIf(problem)(`at a terminal${problem ? ` (${problem})` : ''}`, () => {
  it('deletes a conversation when the operator says so', async () => {
    const { place, id } = await oneConversation();
    const { code, text } = await atTerminal(place, ['c', 'rm', id], [{ after: ASKS, keys: 'y\r' }]);
    expect({ code, text }).toEqual({
      code: 0,
      text: `ken asks:\n│ ${id}  hi\n│\n│ Delete this conversation for good?\n${ASKS}y\ndeleted ${id}\n`,
    });
    expect(place.conversations()).toEqual([]);
  });

  it.each([
    ['enter', '\r'],
    ['no', 'no\r'],
    ['Ctrl-D', '\x04'],
  ])('keeps it at %s', async (_, keys) => {
    const { place, id } = await oneConversation();
    const { code, text } = await atTerminal(place, ['c', 'rm', id], [{ after: ASKS, keys }]);
    expect(code).toBe(0);
    expect(text.split('\n').at(-2)).toBe('Nothing was deleted.');
    expect(place.conversations()).toEqual([id]);
  });
});

it.each([
  ['hi', 'hi.'],
  ['Who are you?', 'Who are you?'],
])('deletes nothing where nobody can be asked: %s', async (question, named) => {
  const { place, id } = await oneConversation(question);
  expect(await place.ken(['c', 'rm', id])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      `ken: There is no terminal to ask whether to delete this conversation: ${id}  ${named}\n` +
      'hint: Give --yes to delete without being asked, or hide them with "ken c archive".\n',
  });
  expect(place.conversations()).toEqual([id]);
});
