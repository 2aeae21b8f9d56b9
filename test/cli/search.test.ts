import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/domain/search/engine/hit.ts';
import { writeAnswered } from './answered-conversation.ts';
import { indexFile } from './ken.ts';
import { sandboxHere } from './ken-here.ts';

function box() {
  const made = sandboxHere('[kb.topic.project]\nsubjects = "kb"\ndisabled = ["secret"]\n');
  made.write(
    'kb/deploy.md',
    '# Deploy\n\nNothing to see.\n\n## On Fridays\n\nWe never deploy the ferry software on a Friday.\n',
  );
  made.write('kb/tickets.md', '# Tickets\n\nA ticket holds a seat for twelve minutes.\n');
  made.write('kb/secret.md', '# Secret\n\nThe ferry software has a back door on Friday.\n');
  made.write('kb/.hidden.md', '# Hidden\n\nThe ferry sails by night.\n');
  return made;
}

it('finds the chunk, says where it stands, and every citation opens', async () => {
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
  rmSync(indexFile(made));
  expect((await made.ken(words)).stdout).toBe(first.stdout);
  writeFileSync(indexFile(made), 'x'.repeat(9000));
  expect((await made.ken(words)).stdout).toBe(first.stdout);
});

it('finds what was said before, in its own kind', async () => {
  const made = box();
  writeAnswered(made, ['Why do gulls do that?', 'Gulls steal sandwiches from sailors who sleep.']);
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
  const first = ['Why do gulls steal sandwiches?', 'Since sailors leave crumbs on the quay.'] as const;
  writeAnswered(made, first);
  expect(await found('sailors leave crumbs on the quay')).toEqual(['turn-1']);
  writeAnswered(made, first, ['Who feeds the walrus?', 'The lighthouse keeper brings herring at dusk.']);
  expect(await found('who brings herring to the walrus')).toEqual(['turn-2']);
});

it('abstains when nothing is near, with exit 1', async () => {
  const { code, stdout } = await box().ken(['search', '--json', 'boiling point of tungsten in kelvin']);
  expect({ code, ...(JSON.parse(stdout) as Envelope) }).toMatchObject({ code: 1, abstained: true, hits: [] });
});

it('finds no question that was asked, and nothing that was quoted', async () => {
  const made = box();
  await made.ken(['q', '-n', 'Why do gulls steal sandwiches from sailors?']);
  const { code, stdout } = await made.ken([
    'search',
    '--json',
    '--in',
    'conversations',
    'gulls steal sandwiches',
  ]);
  expect({ code, ...(JSON.parse(stdout) as Envelope) }).toMatchObject({
    code: 1,
    outcome: 'nothing',
    hits: [],
    near_misses: [],
  });
});

it.each(['"', '-', '%_*', 'NEAR(', '\u{1f600}', '東京', '"open', 'a'.repeat(20_000)])(
  'any text is a question: %s',
  async (text) => {
    expect([0, 1]).toContain((await box().ken(['search', '--', text])).code);
  },
);

it('packs whole chunks into a budget', async () => {
  const { stdout } = await box().ken(['search', '--json', '--budget', '12', 'deploy ferry software friday']);
  const { hits } = JSON.parse(stdout) as Envelope;
  expect(hits.map(({ text }) => text)).toEqual(['We never deploy the ferry software on a Friday.']);
});

it('shortens what does not fit into the budget, and never leaves out the best hit', async () => {
  const made = box();
  const lines = Array.from({ length: 80 }, (_, at) => `Rule ${at} is about nothing in particular.`);
  made.write('kb/rules.md', `${lines.join('\n')}\nThe quartermaster counts the lifebelts.\n`);
  const { code, stdout } = await made.ken([
    'search',
    '--json',
    '--budget',
    '2',
    'quartermaster counts lifebelts',
  ]);
  const { hits } = JSON.parse(stdout) as Envelope;
  expect({ code, count: hits.length }).toEqual({ code: 0, count: 1 });
  expect(hits[0]?.text).toContain('quartermaster');
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
    stderr: 'ken: "kbb" cannot be searched.\nhint: Did you mean kb?\n',
  });
});

it('names an embedder that cannot be used once, and ranks by words', async () => {
  const made = box();
  const words = ['-c', 'search.embedder=bogus', 'search', '--in', 'kb,ledger', 'ticket seat twelve minutes'];
  const { code, stdout, stderr } = await made.ken(words);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      'warning: Search ranks by words alone. There is no embedder "bogus". There are builtin, ollama/…, openai/… and transformers/….\n',
  });
  expect(stdout).toMatch(/^kb\/tickets\.md:3 /);
});
