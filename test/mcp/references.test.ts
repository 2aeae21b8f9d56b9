import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aboutDataFences } from '../../src/base/data-fence.ts';
import { atTerminal } from '../cli/at-terminal.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { ptyProblem } from '../cli/pty.ts';
import { served } from '../references/kettle.ts';
import { connect, ERAS, textOf } from './connect.ts';

/** A workspace, and a repository beside it that became a reference topic. */
async function withTopic(): Promise<{ place: Sandbox; commit: string }> {
  const place = sandboxHere('');
  mkdirSync(path.join(place.home, 'config'), { recursive: true });
  writeOwnConfig(place.home, 'approvals.noninteractive = "allow"\n');
  const repository = path.dirname(place.write('kettle/README.md', '# Kettle\n\nBoils water.\nWhistles.\n'));
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'kettle');
  const created = await place.ken(['ref', 'create', '--title', 'Kettle', '--git', './kettle']);
  expect([created.code, created.stderr]).toEqual([0, expect.any(String)]);
  return { place, commit: git('rev-parse', 'HEAD').trim() };
}

const WAYS = ERAS.flatMap((era) =>
  (['stdio', 'http'] as const).map((transport) => ({ era, transport, revision: era.revision })),
);

const reading = 'lists reference topics, and reads what was fetched by its address: $revision, $transport';

it.each(WAYS)(reading, async (way) => {
  const { place, commit } = await withTopic();
  const { client } = await connect(place, way);
  const { resources } = await client.listResources();
  const topic = resources.find(({ uri }) => uri.startsWith('ken://ref/'));
  expect(topic).toMatchObject({ uri: 'ken://ref/topic-kettle', title: 'Kettle' });
  const about = await client.readResource({ uri: 'ken://ref/topic-kettle' });
  expect(about.contents).toMatchObject([{ text: expect.stringMatching(/^# Kettle\n[\s\S]*Sources:\n\n- /) }]);
  const lines = await client.readResource({ uri: `ken://ref/topic-kettle@${commit}/README.md#L3-L4` });
  const [content] = lines.contents;
  const shown = content && 'text' in content ? content.text : '';
  const [, id = ''] = /<<<data ([0-9a-f]{32})/.exec(shown) ?? [];
  expect(shown).toBe(`${aboutDataFences(id)}\n\n<<<data ${id}\nBoils water.\nWhistles.\n${id} data>>>`);
  await expect(client.readResource({ uri: 'ken://ref/topic-none' })).rejects.toMatchObject({ code: -32602 });
});

const problem = ptyProblem();

const where = `with a client of $revision over $transport${problem ? ` (${problem})` : ''}`;

describe.skipIf(problem).each(WAYS)(where, (way) => {
  it('fetches after the operator has approved in a terminal, and then finds, lists and describes it', async () => {
    const place = await served();
    const { client } = await connect(place, { ...way, name: 'gnome', words: ['mcp', '--tools', 'all'] });
    // A client that knows the schemas holds every answer against them.
    await client.listTools();
    const call = (name: string, given: Record<string, unknown>) =>
      client.callTool({ name, arguments: given });
    const wanted = {
      title: 'Kettle',
      body: 'A widget toolkit.',
      sources: [{ type: 'git', url: place.url }],
      tags: ['rust'],
    };
    const asked = await call('reference_topic_create', wanted);
    expect(asked.isError).toBe(true);
    const [, id = ''] = /ken approvals approve (\w+)/.exec(textOf(asked)) ?? [];
    expect((await call('job_status', { id })).structuredContent).toMatchObject({ status: 'pending' });

    const typed = [{ after: 'Approve?', keys: 'yes\r' }];
    expect(await atTerminal(place, ['approvals', 'approve', id], typed)).toMatchObject({ code: 0 });
    const done = await call('job_status', { id });
    expect(done.structuredContent).toMatchObject({
      status: 'done',
      data: { topic_id: 'topic-kettle', file_count: 5 },
    });

    const question = 'use_drain runs when a component is unmounted';
    const found = await call('reference_search', { topic: 'kettle', question });
    const [, uri = ''] = /(ken:\/\/ref\/\S+?),/.exec(textOf(found)) ?? [];
    const read = await client.readResource({ uri });
    expect(read.contents).toMatchObject([{ text: expect.stringContaining('use_drain') }]);
    const everywhere = await call('search', { question });
    expect(textOf(everywhere)).toContain('ken://ref/topic-kettle@');
    const fenced = expect.stringMatching(/^<<<data \w+\n/);
    const [first] = (everywhere.structuredContent as { hits: unknown[] }).hits;
    expect(first).toMatchObject({ text: fenced });

    const listed = { topics: [{ topic_id: 'topic-kettle', created_by_ghost: 'gnome' }] };
    expect((await call('reference_topic_list', {})).structuredContent).toMatchObject(listed);
    const similar = await call('reference_topic_search', { query: 'widget toolkit' });
    expect(similar.structuredContent).toMatchObject({ topics: [{ topic_id: 'topic-kettle' }] });
    const update = { topic_id: 'topic-kettle', status: 'obsolete' };
    const waits = await call('reference_topic_update', update);
    expect([waits.isError, textOf(waits)]).toEqual([
      true,
      expect.stringMatching(/^APPROVAL_REQUIRED:TOOL_RUN:/),
    ]);
    expect((await call('reference_topic_list', {})).structuredContent).toMatchObject(listed);
  });

  it('fetches at once, with progress, where the operator trusts the client that says yes', async () => {
    const place = await served(undefined, { settings: '[mcp]\ntrusted_clients = ["gnome"]\n' });
    const { client } = await connect(place, {
      ...way,
      name: 'gnome',
      capabilities: { elicitation: { form: {} } },
      prepare: (made) =>
        made.setRequestHandler('elicitation/create', async () => ({
          action: 'accept',
          content: { approve: true },
        })),
    });
    const told: unknown[] = [];
    const wanted = { title: 'Kettle', sources: [{ type: 'git', url: place.url }] };
    const created = await client.callTool(
      { name: 'reference_topic_create', arguments: wanted },
      { onprogress: (progress) => told.push(progress) },
    );
    expect(created.structuredContent).toMatchObject({ topic_id: 'topic-kettle', file_count: 5 });
    expect(told.length).toBeGreaterThan(0);
  });
});
