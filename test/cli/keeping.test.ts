import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Result, Sandbox } from './ken.ts';
import { sandboxHere } from './ken-here.ts';

const NOTE = (stderr: string): Result => ({ code: 0, stdout: '', stderr });

/** An editor that replaces the file by `text`. */
function editor({ write, shell }: Sandbox, text: string): Promise<Readonly<Record<string, string>>> {
  const content = write('../new-text', text);
  const program = write('../bin/ed', `#!/bin/sh\ncp ${content} "$1"\n`);
  return shell(`chmod +x ${program}`).then(() => ({ VISUAL: program }));
}

const read = ({ root }: Sandbox, file: string) => readFileSync(path.join(root, file), 'utf8');

const TOPICS = '[kb.topic.project]\nsubjects = "kb"\n\n[kb.topic.skills]\nsubjects = "skills"\n';

it('git stages no conversation of a fresh workspace, and none that was imported', async () => {
  const place = sandboxHere();
  await place.shell('git init -q . && ken init && ken q -n "How do I write a subject?" > /dev/null');
  place.write(
    'talk.jsonl',
    '{"type":"user","sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"Hello"}}\n',
  );
  expect((await place.ken(['c', 'import', 'talk.jsonl'])).stderr).toBe(
    'They are in .ken/conversations, which git ignores.\n',
  );
  const staged = await place.shell('git add -A && git diff --cached --name-only');
  expect(staged.stdout).toBe(
    '.ken/.gitignore\n.ken/config.toml\n.ken/kb/project/writing-subjects.md\ntalk.jsonl\n',
  );
});

it('says how git forgets conversations that it tracks', async () => {
  const place = sandboxHere('');
  await place.shell('git init -q . && ken q -n "Hello" > /dev/null && git add -f .ken/conversations');
  const finding = async () => {
    const { checks } = JSON.parse((await place.ken(['doctor', '--json'])).stdout);
    return checks.find(({ id }: { id: string }) => id === 'workspace');
  };
  expect(await finding()).toMatchObject({
    status: 'warning',
    message: expect.stringMatching(/^git tracks \d+ files of conversations, which the next commit shares$/),
    hint: `Run "git rm -r --cached .ken/conversations" in ${place.root}, or set conversation.share to true.`,
  });
  await place.shell('git rm -rq --cached .ken/conversations');
  expect(await finding()).toMatchObject({ status: 'ok' });
});

it('brings the file of an earlier version up to date, and warns about one that a person has changed', async () => {
  const place = sandboxHere('');
  await place.shell('git init -q .');
  const ask = () => place.ken(['q', '-n', 'Hello']);
  const former =
    '# What ken builds for itself or keeps for you alone.\n*.db\n*.db-*\n*.db.corrupt*\n.ken-*.tmp\n/cache/\n/config.local.toml\n' +
    '/conversations/*/.writer.*\n/conversations/.new-*\n/conversations/.gone-*\n';
  place.write('.ken/.gitignore', former);
  await ask();
  expect(read(place, '.ken/.gitignore')).toContain('\n/conversations/\n');
  place.write('.ken/.gitignore', '*.db\n');
  expect((await ask()).stderr).toContain(
    'warning: git does not ignore conversations: add the line /conversations/ to .ken/.gitignore, or set conversation.share to true.\n',
  );
  expect(read(place, '.ken/.gitignore')).toBe('*.db\n');
});

it('prints, removes and edits keys of the configuration', async () => {
  const place = sandboxHere('# Ours.\n[assistant]\nname = "ada"\n');
  const file = path.join(place.root, '.ken/config.toml');
  expect(await place.ken(['config', 'get', 'assistant.name'])).toEqual({
    code: 0,
    stdout: 'ada\n',
    stderr: '',
  });
  expect((await place.ken(['config', 'get', 'knowledge'])).stdout).toBe(
    '{"ephemeral_days":7,"decay_days":30,"share":"none","rules_tokens":2000}\n',
  );
  expect(await place.ken(['config', 'unset', 'assistant.name'])).toEqual(
    NOTE(`${file} no longer sets assistant.name.\n`),
  );
  expect(read(place, '.ken/config.toml')).toContain('# Ours.\n');
  expect(await place.ken(['config', 'unset', 'assistant.name'])).toEqual({
    code: 3,
    stdout: '',
    stderr: `ken: ${file} does not set assistant.name.\nhint: "ken config show assistant.name --origin" says which file does.\n`,
  });
  const environment = await editor(place, '[assistant]\nnmae = "x"\n');
  expect(await place.ken(['config', 'edit'], { environment })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Nothing was changed.'),
  });
  await editor(place, '[assistant]\nname = "bo"\n');
  expect(await place.ken(['config', 'edit'], { environment })).toEqual(NOTE(`${file} was changed.\n`));
  expect(read(place, '.ken/config.toml')).toBe('[assistant]\nname = "bo"\n');
});

it('writes names into commands to copy as a shell takes them', async () => {
  const place = sandboxHere(TOPICS);
  place.write('kb/our notes.md', '# Notes\n');
  place.write("kb/it's.md", '# Its\n');
  expect(await place.ken(['kb', 'mv', 'project/our notes', 'project/(all)'])).toEqual(
    NOTE("project/our notes is project/(all) now. Undo: ken kb mv 'project/(all)' 'project/our notes'\n"),
  );
  expect(await place.ken(['kb', 'mv', "project/it's", 'project/its'])).toEqual(
    NOTE("project/it's is project/its now. Undo: ken kb mv project/its 'project/it'\\''s'\n"),
  );
  const elsewhere = path.join(place.home, 'not here');
  mkdirSync(elsewhere, { recursive: true });
  expect(await place.ken(['kb', 'ls', '--workspace', elsewhere])).toEqual({
    code: 3,
    stdout: '',
    stderr: `ken: ${elsewhere} is not a workspace.\nhint: Run "ken init '${elsewhere}'" to make it one.\n`,
  });
});

it('moves, edits and deletes a subject', async () => {
  const place = sandboxHere(TOPICS);
  place.write('kb/notes.md', '# Notes\n');
  expect(await place.ken(['kb', 'mv', 'project/notes', 'skills/tea'])).toEqual(
    NOTE('project/notes is skills/tea now. Undo: ken kb mv skills/tea project/notes\n'),
  );
  expect(existsSync(path.join(place.root, 'kb/notes.md'))).toBe(false);
  const environment = await editor(place, '# Tea\n');
  expect(await place.ken(['kb', 'edit', 'skills/tea'], { environment })).toEqual(
    NOTE('skills/tea.md was changed.\n'),
  );
  expect(read(place, 'skills/tea.md')).toBe('# Tea\n');
  expect(await place.ken(['kb', 'rm', 'skills/tee'])).toEqual({
    code: 3,
    stdout: '',
    stderr: 'ken: The topic skills has no subject "tee".\nhint: Did you mean tea?\n',
  });
  expect(await place.ken(['kb', 'rm', 'skills/tea'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'ken: There is no terminal to ask whether to delete this subject: skills/tea (skills/tea.md).\n' +
      'hint: Add --yes to delete it, or move it with "ken kb mv".\n',
  });
  expect(await place.ken(['kb', 'rm', 'skills/tea', '--yes'])).toEqual(NOTE('skills/tea.md was deleted.\n'));
  expect(existsSync(path.join(place.root, 'skills/tea.md'))).toBe(false);
});

it('takes no empty subject from standard input', async () => {
  const place = sandboxHere(TOPICS);
  expect(await place.ken(['kb', 'add', 'project/foo'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'ken: There is nothing to read: standard input is empty.\nhint: Name a file, or pipe the content in.\n',
  });
});

it('keeps what people decided, and edits it; evidence of people does not fail verify', async () => {
  const place = sandboxHere('');
  const add = (provenance: string) =>
    place.ken([
      'k',
      'add',
      '--id',
      'review',
      '--title',
      'Reviews',
      '--text',
      'Two each.',
      '--provenance',
      provenance,
    ]);
  expect(await add('event:standup-2026-11-15')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'hint: event: takes the id of an event of the ledger. For a decision, write meeting:TITLE@2026-11-15.\n',
    ),
  });
  expect(await add('meeting:Planning@2026-11-15')).toEqual({
    code: 0,
    stdout: 'review\n',
    stderr: 'It is a new entry.\n',
  });
  const verified = await place.ken(['k', 'verify']);
  expect(verified).toMatchObject({ code: 0, stderr: '1 not checked.\n' });
  expect(await place.ken(['k', 'verify', '--all'])).toMatchObject({ code: 6 });
  const environment = await editor(place, 'Reviews\n\nThree each.\n');
  expect(await place.ken(['k', 'edit', 'review'], { environment })).toEqual(
    NOTE('review is at version 2. "ken k diff review" shows the change.\n'),
  );
  const { entry } = JSON.parse((await place.ken(['k', 'show', 'review', '--json'])).stdout);
  expect(entry).toMatchObject({ content: 'Three each.', provenance: 'meeting:Planning@2026-11-15' });
});

it('takes the word of an assistant about a person for less, until the operator confirms it', async () => {
  const place = sandboxHere('');
  const fact = { title: 'Tea', text: 'Ada drinks green tea.', provenance: ['person:ada'] };
  await place.ken(['tools', 'run', 'knowledge_add', JSON.stringify(fact)]);
  const [{ id, provenance }] = JSON.parse((await place.ken(['k', 'list', '--json'])).stdout).entries;
  expect(provenance).toMatch(/^person:ada \(told by \S+\)$/);
  expect(await place.ken(['k', 'confirm', id])).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(`^ken: Confirming ${id} needs you: `),
  });
});

it('takes a part of the id of an entry that no other has, as its lists show it at a terminal', async () => {
  const place = sandboxHere();
  const add = async (title: string) =>
    (
      await place.ken(['k', 'add', '--title', title, '--text', `${title}.`, '--provenance', 'person:ada'])
    ).stdout.trim();
  const [first, second] = [await add('One'), await add('Two')];
  const shown = async (part: string) => place.ken(['k', 'show', part, '--json']);
  const idIn = ({ stdout }: { stdout: string }) => JSON.parse(stdout).entry.id;
  expect(idIn(await shown(first.slice(-6)))).toBe(first);
  expect(idIn(await shown(second.slice(-8).toLowerCase()))).toBe(second);
  expect((await place.ken(['k', 'history', second.slice(-6)])).code).toBe(0);
  expect((await place.ken(['k', 'deprecate', second.slice(-6)])).stderr).toBe(`${second} is deprecated.\n`);
  expect(await shown(first.slice(0, 4))).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /"01\w\w\\" could be several entries\.","hint":"Type more of one: \w{26}, \w{26}\."/,
    ),
  });
  expect(await shown(first.slice(-3))).toMatchObject({ code: 3 });
});
