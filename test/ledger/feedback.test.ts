import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';

it('lifts what helped past an equal neighbour, never past a clearly better fit, and explains it', async () => {
  const { ken } = sandboxHere('');
  const add = (id: string, title: string, text: string) =>
    ken(['k', 'add', '--id', id, '--title', title, '--text', text, '--provenance', 'cmd:x']);
  await add('a-equal', 'Ports', 'The kettle is loud.');
  await add('b-equal', 'Ports', 'The kettle is loud.');
  await add('c-better', 'Kettle', 'The kettle: a kettle for tea.');
  for (let other = 0; other < 5; other++) await add(`other-${other}`, 'Boats', 'Nothing to do with it.');
  const order = async () =>
    JSON.parse((await ken(['k', 'search', 'kettle', '--json'])).stdout).entries.map(
      ({ id }: { id: string }) => id,
    );
  expect(await order()).toEqual(['c-better', 'a-equal', 'b-equal']);
  for (let time = 0; time < 4; time++) {
    const words = ['--query', 'kettle', '--returned-ids', 'a-equal,b-equal', '--used-ids', 'b-equal'];
    await ken(['k', 'retrieval-log', ...words, '--outcome', 'helped']);
  }
  expect(await order()).toEqual(['c-better', 'b-equal', 'a-equal']);
  const { stdout } = await ken(['k', 'search', 'kettle', '--explain']);
  const scores = stdout.split('\n').filter((line) => line.includes('score'));
  expect(scores.map((line) => /feedback × (\S+)/.exec(line)?.[1])).toEqual(['1.000', '1.067', '1.000']);
  const hurt = ['k', 'retrieval-log', '--query', 'q', '--returned-ids', 'a-equal', '--used-ids', 'a-equal'];
  await ken([...hurt, '--outcome', 'hurt']);
  expect((await ken(['k', 'search', 'kettle', '--explain'])).stdout).toContain('feedback × 0.967');
});
