import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/domain/search/engine/hit.ts';
import { sandbox } from './ken.ts';

function box() {
  const made = sandbox('[kb.topic.project]\nsubjects = "kb"\ndisabled = ["secret"]\n');
  made.write(
    'kb/deploy.md',
    '# Deploy\n\nNothing to see.\n\n## On Fridays\n\nWe never deploy the ferry software on a Friday.\n',
  );
  made.write('kb/tickets.md', '# Tickets\n\nA ticket holds a seat for twelve minutes.\n');
  made.write('kb/secret.md', '# Secret\n\nThe ferry software has a back door on Friday.\n');
  made.write('kb/.hidden.md', '# Hidden\n\nThe ferry sails by night.\n');
  return made;
}

it('finds the passage, says where it stands, and every citation opens', async () => {
  const made = box();
  const { code, stdout } = await made.ken(['search', '--json', 'deploy ferry software friday']);
  const { hits, abstained } = JSON.parse(stdout) as Envelope;
  expect({ code, abstained }).toEqual({ code: 0, abstained: false });
  expect(hits[0]).toMatchObject({
    kind: 'subject',
    id: 'project/deploy',
    title: 'Deploy › On Fridays',
    citation: { uri: 'ken://kb/project/deploy#L7', path: 'kb/deploy.md', lines: { first: 7, last: 7 } },
    trust: { tier: 'workspace' },
  });
  for (const { citation, snippet } of hits) {
    const shown = (await made.ken(['show', citation.uri])).stdout;
    expect(shown.trim()).toBe(snippet);
  }
});

it('never finds what is disabled or hidden', async () => {
  const { stdout } = await box().ken([
    'search',
    '--json',
    '--limit',
    '50',
    'ferry software back door night Friday',
  ]);
  const { hits, near_misses } = JSON.parse(stdout) as Envelope;
  const ids = [...hits, ...near_misses].map(({ id }) => id);
  expect(ids.filter((id) => /secret|hidden/.test(id))).toEqual([]);
});

it('notices what was changed, added and removed since', async () => {
  const made = box();
  const found = async (words: string) => {
    const { stdout } = await made.ken(['search', '--json', words]);
    return (JSON.parse(stdout) as Envelope).hits.map(({ id }) => id);
  };
  expect((await found('ticket seat twelve minutes'))[0]).toBe('project/tickets');
  writeFileSync(path.join(made.root, 'kb/tickets.md'), '# Tickets\n\nPassengers pay by shell.\n');
  made.write('kb/gulls.md', '# Gulls\n\nGulls steal sandwiches from the quay.\n');
  expect((await found('gulls steal sandwiches'))[0]).toBe('project/gulls');
  expect((await found('passengers pay by shell'))[0]).toBe('project/tickets');
  rmSync(path.join(made.root, 'kb/gulls.md'));
  expect(await found('gulls steal sandwiches')).not.toContain('project/gulls');
});

it('makes an index again that was deleted or damaged', async () => {
  const made = box();
  const words = ['search', 'deploy ferry software friday'];
  const first = await made.ken(words);
  rmSync(path.join(made.root, '.ken/index.db'));
  expect((await made.ken(words)).stdout).toBe(first.stdout);
  writeFileSync(path.join(made.root, '.ken/index.db'), 'x'.repeat(9000));
  expect((await made.ken(words)).stdout).toBe(first.stdout);
});

it('finds what was said before, in its own kind', async () => {
  const made = box();
  await made.ken(['q', '-n', 'Why do gulls steal sandwiches from sailors?']);
  const { stdout } = await made.ken([
    'search',
    '--json',
    '--in',
    'conversations',
    'gulls steal sandwiches sailors',
  ]);
  expect((JSON.parse(stdout) as Envelope).hits[0]).toMatchObject({
    kind: 'turn',
    trust: { tier: 'conversation' },
  });
});

it('finds what was said since the last search', async () => {
  const made = box();
  const found = async (words: string) => {
    const { stdout } = await made.ken(['search', '--json', '--in', 'conversations', words]);
    return (JSON.parse(stdout) as Envelope).hits.map(({ citation }) => citation.uri.replace(/^.*#/, ''));
  };
  await made.ken(['q', '-n', 'Why do gulls steal sandwiches from sailors?']);
  expect(await found('gulls steal sandwiches')).toEqual(['turn-1']);
  await made.ken(['q', 'Which lighthouse keeper feeds the walrus?']);
  expect(await found('lighthouse keeper feeds walrus')).toEqual(['turn-2']);
});

it('abstains when nothing is near, with exit 1', async () => {
  const { code, stdout } = await box().ken(['search', '--json', 'boiling point of tungsten in kelvin']);
  expect({ code, ...(JSON.parse(stdout) as Envelope) }).toMatchObject({ code: 1, abstained: true, hits: [] });
});

it.each(['"', '-', '%_*', 'NEAR(', '\u{1f600}', '東京', '"open', 'a'.repeat(20_000)])(
  'any text is a question: %s',
  async (text) => {
    expect([0, 1]).toContain((await box().ken(['search', '--', text])).code);
  },
);

it('packs whole passages into a budget', async () => {
  const { stdout } = await box().ken(['search', '--json', '--budget', '12', 'deploy ferry software friday']);
  const { hits } = JSON.parse(stdout) as Envelope;
  expect(hits.map(({ text }) => text)).toEqual(['We never deploy the ferry software on a Friday.']);
});

it('says when the budget is too small for what was found', async () => {
  expect(await box().ken(['search', '--budget', '2', 'deploy ferry software friday'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Nothing that was found fits into 2 tokens.\n',
  });
});

it('refuses a topic that nothing is in', async () => {
  const made = box();
  expect(await made.ken(['search', '--topic', 'projekt', 'ferry'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'ken: Nothing that is searched is in a topic "projekt".\nhint: Did you mean project?\n',
  });
  expect(await made.ken(['search', '--topic', 'zzz', 'ferry'])).toMatchObject({
    code: 2,
    stderr: 'ken: Nothing that is searched is in a topic "zzz".\nhint: Topics: project.\n',
  });
  const { stdout } = await made.ken(['search', '--json', '--topic', 'project', 'ferry software']);
  expect((JSON.parse(stdout) as Envelope).hits[0]?.id).toBe('project/deploy');
});

it('refuses a source that is not there', async () => {
  expect(await box().ken(['search', '--in', 'kbb', 'x'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'ken: "kbb" is nothing that can be searched.\nhint: Did you mean kb?\n',
  });
});
