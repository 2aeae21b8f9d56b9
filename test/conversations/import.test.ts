import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ASKED_OK, talk } from './talk.ts';

const line = (value: unknown) => `${JSON.stringify(value)}\n`;
const said = (type: string, second: number, content: unknown) =>
  line({
    type,
    uuid: `${type}-${second}`,
    sessionId: 'session-1',
    timestamp: `2026-03-09T08:11:0${second}.000Z`,
    message: { id: `m${second}`, model: 'claude-opus-4-6', content },
  });
const BEGINNING =
  line({ type: 'summary', summary: 'Pruning roses', leafUuid: 'x' }) +
  said('user', 1, 'How do I prune roses?') +
  said('assistant', 2, [{ type: 'text', text: 'In March, above an outward bud.' }]);
const MORE = said('user', 3, 'And hedges?');

const KEPT = 'They are in .ken/conversations, which git ignores.\n';

it('imports once, brings up to date, and leaves alone what went its own way', async () => {
  const place = await talk();
  const file = place.write('talk.jsonl', BEGINNING);
  const first = await place.ken(['c', 'import', file, '--label', 'team=garden']);
  const [id = ''] = place.conversations();
  expect(first).toEqual({ code: 0, stdout: `${id}  imported: Pruning roses\n`, stderr: KEPT });
  expect((await place.ken(['c', 'show', id])).stdout).toBe(
    [
      `id        ${id}`,
      'title     Pruning roses',
      'created   2026-03-09T08:11:01.000Z',
      'active    2026-03-09T08:11:02.000Z',
      'labels    imported=claude-code team=garden',
      'turns     1',
      `path      ${place.root}/.ken/conversations/${id}`,
      '',
    ].join('\n'),
  );
  expect(await place.ken(['c', 'import', file])).toMatchObject({
    stdout: `${id}  unchanged: Pruning roses\n`,
  });
  place.write('talk.jsonl', BEGINNING + MORE);
  expect(await place.ken(['c', 'import', file])).toMatchObject({
    stdout: `${id}  updated: Pruning roses\n`,
  });
  expect(await place.ken(['c', 'grep', 'bud|hedges', '--regex', '--label', 'imported=claude-code'])).toEqual({
    code: 0,
    stdout: `${id}:1:assistant:In March, above an outward bud.\n${id}:2:user:And hedges?\n`,
    stderr: '',
  });
  expect(await place.ken(['q', '--id', id, 'And pears?'])).toEqual(ASKED_OK);
  expect(await place.ken(['c', 'import', file])).toMatchObject({
    stdout: `${id}  left as it is, since it continued here: Pruning roses\n`,
  });
  expect(place.conversations()).toEqual([id]);
});

it('goes on after a file that is no transcript, and says so', async () => {
  const place = await talk();
  place.write('talk.jsonl', BEGINNING);
  place.write('notes.txt', 'milk\neggs\n');
  const result = await place.ken(['c', 'import', 'notes.txt', 'talk.jsonl', 'absent.jsonl', '--json']);
  const [id = ''] = place.conversations();
  expect(result).toEqual({
    code: 1,
    stdout: `${JSON.stringify({
      conversations: [
        {
          what: 'imported',
          id,
          local: false,
          labels: { imported: 'claude-code' },
          title: 'Pruning roses',
          created_at: '2026-03-09T08:11:01.000Z',
          active_at: '2026-03-09T08:11:02.000Z',
          imported: { from: 'claude-code', id: 'session-1' },
        },
      ],
    })}\n`,
    stderr: [
      'warning: notes.txt was not imported: This is not a known transcript: its lines are not in the format of Claude Code, Codex, opencode or ken.',
      `warning: absent.jsonl was not imported: There is no file ${place.root}/absent.jsonl.`,
      '',
    ].join('\n'),
  });
  expect((await place.ken(['c', 'import', 'notes.txt'])).code).toBe(1);
});

it('takes its own export to another workspace and back without loss', async () => {
  const place = await talk();
  await place.ken(['q', '-n', 'Tea?', '--label', 'topic=tea', '--title', 'Tea']);
  await place.ken(['c', 'label', 'add', 'wip']);
  const [id = ''] = place.conversations();
  const exported = await place.ken(['c', 'export', id, '--format', 'jsonl']);
  const other = await talk();
  expect(await other.ken(['c', 'import', '-'], { input: exported.stdout })).toMatchObject({ code: 0 });
  const [copy = ''] = other.conversations();
  expect(other.file('events.jsonl')).toBe(place.file('events.jsonl'));
  const { imported, ...rest } = JSON.parse(other.file('metadata.json'));
  expect(rest).toEqual(JSON.parse(place.file('metadata.json')));
  expect(imported).toEqual({ from: 'ken', id });
  const back = await other.ken(['c', 'export', copy, '--format', 'jsonl']);
  expect(await place.ken(['c', 'import', '-'], { input: back.stdout })).toMatchObject({
    code: 0,
    stdout: `${id}  unchanged: Tea\n`,
  });
});

it('exports into a new file and never over one', async () => {
  const place = await talk();
  await place.ken(['q', '-n', 'Tea?']);
  const words = ['c', 'export', '@last', '--output', 'out/talk.md'];
  const file = path.join(place.root, 'out/talk.md');
  expect(await place.ken(words)).toEqual({ code: 0, stdout: '', stderr: `wrote ${file}\n` });
  const content = '# Tea?\n\n## Turn 1\n\n**You**\n\nTea?\n\n**Assistant** (loop/m)\n\nok\n';
  expect(readFileSync(file, 'utf8')).toBe(content);
  expect(await place.ken([...words, '--format', 'jsonl'])).toEqual({
    code: 5,
    stdout: '',
    stderr: `ken: ${file} exists already.\nhint: Use another name, or remove it first. Nothing was written.\n`,
  });
  expect(readFileSync(file, 'utf8')).toBe(content);
  expect(existsSync(path.join(place.root, 'talk.md'))).toBe(false);
});

it('keeps imported ones out of the workspace with --local', async () => {
  const place = await talk();
  place.write('talk.jsonl', BEGINNING);
  expect((await place.ken(['c', 'import', 'talk.jsonl', '--local'])).code).toBe(0);
  expect(place.conversations()).toEqual([]);
  const listed = JSON.parse((await place.ken(['c', 'ls', '--json', '--local'])).stdout);
  expect(listed.conversations).toMatchObject([{ local: true, title: 'Pruning roses' }]);
});

it('imports beside a conversation that says nonsense of where it comes from', async () => {
  const place = await talk();
  const file = place.write('talk.jsonl', BEGINNING);
  const nonsense = { from: { toString: {} }, id: { toString: {} } };
  const directory = '.ken/conversations/1kdvgd6gabcd';
  place.write(
    `${directory}/metadata.json`,
    JSON.stringify({ created_at: '2026-01-01T00:00:00.000Z', imported: nonsense }),
  );
  place.write(`${directory}/base_config.json`, '{}');
  place.write(`${directory}/events.jsonl`, line({ type: { toString: {} } }));
  expect(await place.ken(['c', 'import', file])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('  imported: Pruning roses\n'),
    stderr: KEPT,
  });
});
