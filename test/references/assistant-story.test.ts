import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import { ptyProblem } from '../cli/pty.ts';
import { ALLOWING, served } from './kettle.ts';

const problem = ptyProblem();
const ASKS = 'Approve? yes / no / more: ';
const topic = (url: string, paths?: readonly string[]) => ({
  title: 'Kettle - widget toolkit',
  body: 'Kettle builds user interfaces from components with hooks.',
  sources: [{ type: 'git', url, ...(paths && { paths }) }],
  tags: ['rust', 'ui'],
  trust_score: 8,
});

describe.skipIf(problem)(`from nothing to an answer${problem ? ` (${problem})` : ''}`, () => {
  it('search finds nothing, create asks, a person approves, search finds the chunk', async () => {
    const place = await served();
    const { ken, url, commit } = place;
    const run = (name: string, given: object) => ken(['tools', 'run', name, JSON.stringify(given), '-q']);
    expect(await run('reference_topic_search', { query: 'widget toolkit rust' })).toMatchObject({
      code: 0,
      stdout: '[]\n',
    });

    const created = await run('reference_topic_create', topic(url));
    expect(created).toMatchObject({ code: 1, stdout: '' });
    const [, id = ''] =
      /"approvals":\[\{"id":"([0-9a-f]+)"/.exec(
        (await ken(['approvals', 'ls', '--json'])).stdout.replace(/\s+/g, ''),
      ) ?? [];
    expect(id).not.toBe('');

    const { code, text } = await atTerminal(
      place,
      ['approvals', 'approve', id],
      [{ after: ASKS, keys: 'yes\r' }],
      { columns: 200 },
    );
    expect(code).toBe(0);
    expect(text).toContain("│ Create reference topic 'Kettle - widget toolkit'?");
    expect(text).toContain('│ » kettle (size unknown until you allow the survey)');
    expect(text).toContain('topic-kettle-widget-toolkit: 5 files');

    const found = await run('reference_search', {
      topic: 'kettle',
      question: 'use_drain runs when a component is unmounted',
    });
    expect(found.code).toBe(0);
    expect(found.stdout).toMatch(
      new RegExp(
        `ken://ref/topic-kettle-widget-toolkit@${commit}/(docs/lifecycle\\.md|src/hooks\\.rs)#L\\d+-L\\d+, commit ${commit}, lines \\d+-\\d+`,
      ),
    );
    const [, uri = ''] = /(ken:\/\/ref\/\S+?),/.exec(found.stdout) ?? [];
    expect(await ken(['show', uri])).toMatchObject({ code: 0, stdout: expect.stringContaining('use_drain') });
    const { created_by } = JSON.parse((await ken(['ref', 'show', 'kettle-widget-toolkit', '--json'])).stdout);
    expect(created_by).toEqual({ ghost: 'ken', model: null });
    expect(await ken(['ref', 'show', 'kettle'])).toEqual({
      code: 3,
      stdout: '',
      stderr: 'ken: There is no reference topic "kettle".\nhint: Did you mean topic-kettle-widget-toolkit?\n',
    });
    expect((await ken(['q', '--dry-run', '-c', 'assistant.model=anthropic/x', 'hi'])).stdout).toContain(
      '## Available Reference Topics\n\n- Kettle - widget toolkit (`topic-kettle-widget-toolkit`) — rust, ui',
    );
  });

  it('a denial suggests less; the smaller request is asked about again', async () => {
    const place = await served();
    const run = (given: object, typed: string) =>
      atTerminal(
        place,
        ['tools', 'run', 'reference_topic_create', JSON.stringify(given)],
        [{ after: ASKS, keys: `${typed}\r` }],
        { columns: 200 },
      );
    const denied = await run(topic(place.url), 'no');
    expect(denied.code).toBe(1);
    expect(denied.text).toContain('Suggest a smaller scope');
    const smaller = await run(topic(place.url, ['docs/', 'guide/']), 'yes');
    expect(smaller.text).toMatch(/│ » git \S+kettle\.git, only docs\/ guide\//);
    expect(smaller.text).toContain('"file_count":1');
    expect(smaller.code).toBe(0);
  });
});

it('the skill is in the menu of a model that has the tools, and in no other', async () => {
  const { ken } = await served();
  const prompt = async (...words: string[]) => (await ken(['kb', 'prompt', '-q', ...words])).stdout;
  expect(await prompt('-c', 'assistant.model=anthropic/x')).toContain('- ken (**Working with ken**)');
  expect(await prompt()).toBe('');
  const without = '{"conversation":{"tools":{"reference_topic_create":{"source":"builtin","enable":false}}}}';
  const dry = await ken([
    'q',
    '--dry-run',
    '-c',
    'assistant.model=anthropic/x',
    '--no-tool',
    'reference_topic_create',
    'hi',
  ]);
  expect(dry.stdout).not.toContain('Working with ken');
  expect(await prompt('-c', 'assistant.model=anthropic/x', '-c', without)).toBe('');
});

it('the list of topics can be shortened and switched off', async () => {
  const { ken, url } = await served(undefined, { settings: ALLOWING });
  expect(await ken(['ref', 'create', '--title', 'One', '--git', url, '-q'])).toMatchObject({ code: 0 });
  expect(await ken(['ref', 'create', '--title', 'Two', '--git', url, '--path', 'docs/', '-q'])).toMatchObject(
    { code: 0 },
  );
  const system = async (count: number) =>
    JSON.parse(
      (await ken(['q', '--dry-run', '--json', '-c', `references.prompt_topics=${count}`, 'hi'])).stdout,
    ).request.system;
  expect(await system(2)).toMatch(
    /## Available Reference Topics\n\n- Two \(`topic-two`\)\n- One \(`topic-one`\)/,
  );
  expect(await system(1)).not.toContain('topic-one');
  expect(await system(0)).not.toContain('Available Reference Topics');
});

it('a repository named by a relative path stays that one, wherever it is refreshed from', async () => {
  const { ken, root, directory, commit } = await served(undefined, { settings: ALLOWING });
  const url = path.relative(root, directory);
  expect(await ken(['ref', 'create', '--title', 'Local', '--git', url, '-q'])).toMatchObject({ code: 0 });
  const shown = JSON.parse((await ken(['ref', 'show', 'local', '--json'])).stdout);
  expect(shown.sources).toMatchObject([{ type: 'git', url: directory, commit }]);
  expect(await ken(['ref', 'refresh', 'local', '-q'], { directory: path.dirname(directory) })).toMatchObject({
    code: 0,
  });
});
