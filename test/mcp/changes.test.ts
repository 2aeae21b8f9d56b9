import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { connect, ERAS, type Era, type TransportKind, textOf } from './connect.ts';
import { gardenWorkspace } from './garden.ts';

const WAIT = { timeout: 30_000, interval: 50 };
const DEPLOY = 'ken://kb/project/deploy';

/** Notifications in the order in which they came; `updated` with the address. */
function recorded(told: string[]) {
  return (client: Client) => {
    client.setNotificationHandler('notifications/tools/list_changed', () => void told.push('tools'));
    client.setNotificationHandler('notifications/prompts/list_changed', () => void told.push('prompts'));
    client.setNotificationHandler('notifications/resources/list_changed', () => void told.push('resources'));
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void told.push(`updated ${params.uri}`),
    );
  };
}

const EVERYTHING = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: [DEPLOY],
};

async function subscribed(client: Client, { revision }: Era): Promise<void> {
  if (revision === '2025-11-25') await client.subscribeResource({ uri: DEPLOY });
  else await client.listen(EVERYTHING);
}

describe.each(
  ERAS.flatMap((era) =>
    (['stdio', 'http'] as const).map((transport): [string, TransportKind, Era] => [
      `${era.revision} over ${transport}`,
      transport,
      era,
    ]),
  ),
)('with a client of %s', (_, transport, era) => {
  it('tells that tools, prompts and resources have changed, and a resource that is subscribed to', async () => {
    const place = gardenWorkspace();
    const told: string[] = [];
    const { client, said } = await connect(place, { era, transport, prepare: recorded(told) });
    await client.listTools();
    await client.listPrompts();
    await client.listResources();
    await subscribed(client, era);
    place.write('.ken/kb/project/deploy.md', '# Deploy\n\nAsk Ada first.\n');
    await vi.waitFor(() => expect(told).toEqual([`updated ${DEPLOY}`]), WAIT);
    place.write('.ken/kb/project/rollback.md', '# Roll back\n\nRevert.\n');
    await vi.waitFor(() => expect(told).toContain('resources'), WAIT);
    expect(told).not.toContain('prompts');
    place.write('notes/tea.md', '# Tea\n\nEarl Grey.\n');
    appendFileSync(
      path.join(place.root, '.ken/config.toml'),
      '\n[kb.topic.notes]\ntitle = "Notes"\nsubjects = "notes"\n',
    );
    await vi.waitFor(() => expect(told).toEqual(expect.arrayContaining(['tools', 'prompts'])), WAIT);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'learn')?.description).toContain('- notes (**Notes**)');
    const { content } = await client.callTool({
      name: 'learn',
      arguments: { topic: 'notes', subjects: 'tea' },
    });
    expect(textOf({ content })).toContain('Earl Grey.');
    expect(said()).not.toContain('ken:');
  });
});

it('serves with the old configuration while the new one cannot be read', async () => {
  const place = gardenWorkspace();
  const told: string[] = [];
  const { client } = await connect(place, { era: ERAS[0], prepare: recorded(told) });
  await client.listTools();
  place.write('.ken/config.toml', '[kb.topic.project\n');
  place.write('.ken/kb/project/more.md', '# More\n');
  const { content } = await client.callTool({
    name: 'learn',
    arguments: { topic: 'project', subjects: 'more' },
  });
  expect(textOf({ content })).toContain('# More');
  place.write('.ken/config.toml', '[kb.topic.garden]\ntitle = "Garden"\nsubjects = ".ken/kb/project"\n');
  await vi.waitFor(() => expect(told).toContain('tools'), WAIT);
});

it('refuses more subscriptions than it reads again', async () => {
  const { client } = await connect(gardenWorkspace(), { era: ERAS[0] });
  for (let count = 0; count < 200; count++)
    await client.subscribeResource({ uri: `ken://kb/project/s${count}` });
  await expect(client.subscribeResource({ uri: DEPLOY })).rejects.toThrow(
    'At most 200 resources can be subscribed to at once.',
  );
  await client.unsubscribeResource({ uri: 'ken://kb/project/s0' });
  await client.subscribeResource({ uri: DEPLOY });
});

it('refuses to follow what cannot be a resource of ken, and never looks at those of others', async () => {
  const { client } = await connect(gardenWorkspace(), { era: ERAS[0] });
  for (const uri of ['ken://kb/project/deploy?sha256=zz', '/etc/passwd', ''])
    await expect(client.subscribeResource({ uri }), uri).rejects.toThrow(`"${uri}" is not a citation.`);
  // More of them than ken follows.
  for (let at = 0; at < 300; at++) await client.subscribeResource({ uri: `file:///etc/${at}` });
  await client.subscribeResource({ uri: 'ken://kb/project/not-yet' });
});

/** Three projects, and a directory that is none, below one home. */
function projects(): Sandbox {
  const place = sandboxHere('');
  rmSync(path.join(place.root, '.ken'), { recursive: true });
  for (const name of ['apple', 'pear', 'plum']) {
    place.write(`${name}/.ken/config.toml`, '[kb.topic.project]\nsubjects = "docs"\n');
    place.write(`${name}/docs/tree.md`, `# Tree\n\nThis is the ${name} tree.\n`);
    place.write(`${name}/src/deep/file.txt`, '');
  }
  mkdirSync(path.join(place.root, 'none'));
  return place;
}

describe.each(ERAS)('one entry for every project, with a client of $revision', (era) => {
  const tree = { name: 'learn', arguments: { topic: 'project', subjects: 'tree' } };
  const rootsOf = (place: Sandbox, ...names: string[]) =>
    names.map((name) => ({ uri: pathToFileURL(path.join(place.root, name)).href, name }));

  it.each(['apple', 'pear/src/deep', 'plum'])('serves the project that it has open: %s', async (open) => {
    const place = projects();
    const capabilities = { roots: { listChanged: true } };
    const { client } = await connect(
      { ...place, root: path.join(place.root, 'none') },
      {
        era,
        capabilities,
        prepare: (each) =>
          each.setRequestHandler('roots/list', () => ({ roots: rootsOf(place, 'none', open) })),
      },
    );
    expect(textOf(await client.callTool(tree))).toContain(`the ${open.split('/')[0]} tree`);
    const { contents } = await client.readResource({ uri: 'ken://kb/project/tree' });
    expect(JSON.stringify(contents)).toContain(`the ${open.split('/')[0]} tree`);
  });

  it('serves what it was started in when no root is in a workspace, or --workspace says so', async () => {
    const place = projects();
    const started = async (words: readonly string[], root: string) => {
      const { client, said } = await connect(
        { ...place, root: path.join(place.root, 'apple') },
        {
          era,
          words,
          capabilities: { roots: {} },
          prepare: (each) =>
            each.setRequestHandler('roots/list', () => ({
              roots: [{ uri: 'https://example.org/x' }, { uri: 'file:///%00' }, ...rootsOf(place, root)],
            })),
        },
      );
      const text = textOf(await client.callTool(tree));
      expect(said()).toBe('');
      return text;
    };
    expect(await started(['mcp'], 'none')).toContain('the apple tree');
    expect(await started(['mcp', '--workspace', '../pear'], 'plum')).toContain('the pear tree');
  });
});

it('follows a client of 2025-11-25 from project to project, and tells that the lists are others', async () => {
  const place = projects();
  place.write('pear/.ken/config.toml', '[kb.topic.project]\ntitle = "Pears"\nsubjects = "docs"\n');
  const told: string[] = [];
  let open = 'apple';
  const uri = () => pathToFileURL(path.join(place.root, open)).href;
  const { client } = await connect(
    { ...place, root: path.join(place.root, 'none') },
    {
      era: ERAS[0],
      capabilities: { roots: { listChanged: true } },
      prepare(each) {
        recorded(told)(each);
        each.setRequestHandler('roots/list', () => ({ roots: [{ uri: uri() }] }));
      },
    },
  );
  const described = async () =>
    (await client.listTools()).tools.find(({ name }) => name === 'learn')?.description ?? '';
  await client.listResources();
  expect(await described()).not.toContain('Pears');
  open = 'pear';
  await client.sendRootsListChanged();
  await vi.waitFor(() => expect(told).toContain('tools'), WAIT);
  expect(await described()).toContain('Pears');
  const slow = await client.callTool({ name: 'learn', arguments: { topic: 'project', subjects: 'tree' } });
  expect(textOf(slow)).toContain('the pear tree');
});

it('never asks clients over HTTP for their directories', async () => {
  const place = projects();
  let asked = 0;
  for (const era of ERAS) {
    const { client } = await connect(
      { ...place, root: path.join(place.root, 'apple') },
      {
        era,
        transport: 'http',
        capabilities: { roots: { listChanged: true } },
        prepare: (each) =>
          each.setRequestHandler('roots/list', () => {
            asked++;
            return { roots: [{ uri: pathToFileURL(path.join(place.root, 'pear')).href }] };
          }),
      },
    );
    const { content } = await client.callTool({
      name: 'learn',
      arguments: { topic: 'project', subjects: 'tree' },
    });
    expect(textOf({ content })).toContain('the apple tree');
  }
  expect(asked).toBe(0);
});
