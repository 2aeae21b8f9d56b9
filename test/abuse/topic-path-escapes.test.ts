import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';

const SECRET = 'the secret\n';
const config = (followSymlinks: boolean) =>
  `[kb.topic.t]\nsubjects = "t"\nfollow_symlinks = ${followSymlinks}\n`;

/** A topic with one subject, a secret beside it and one outside of the workspace. */
function place(followSymlinks: boolean): Sandbox {
  const box = sandboxHere('');
  // The operator's own setting: that of a workspace would have to be trusted first.
  writeOwnConfig(box.home, config(followSymlinks));
  box.write('t/good.md', 'good\n');
  box.write('t-secret/secret.md', SECRET);
  box.write('../outside/secret.md', SECRET);
  return box;
}

/** Each puts a link into the topic, and names the slug under which the secret would be read. */
const LINKS: readonly (readonly [guarded: string, target: string, link: string, slug: string])[] = [
  ['a file beside the topic', '../t-secret/secret.md', 't/a.md', 'a'],
  ['a directory with the same beginning', '../t-secret', 't/d', 'd/secret'],
  ['a file outside of the workspace', '../../outside/secret.md', 't/b.md', 'b'],
  ['a directory outside of the workspace', '../../outside', 't/e', 'e/secret'],
  ['a hidden link', '../t-secret/secret.md', 't/.h.md', 'h'],
];

it.each(LINKS)('a link to %s is not followed', async (_, target, link, slug) => {
  const closed = place(false);
  symlinkSync(target, path.join(closed.root, link));
  expect(await closed.ken(['learn', 't', slug])).toMatchObject({ code: 3, stdout: '' });
  expect((await closed.ken(['learn', 't', '**', 'good'])).stdout).toBe(
    '<subject "good">\ngood\n</subject>\n',
  );

  const open = place(true);
  symlinkSync(target, path.join(open.root, link));
  if (target.includes('outside')) {
    expect(await open.ken(['learn', 't', slug])).toMatchObject({ code: 3, stdout: '' });
    await trust(open);
  }
  expect(await open.ken(['learn', 't', slug])).toMatchObject({ code: 0, stdout: SECRET });
});

/** As the operator would at a terminal. */
async function trust({ ken, home }: Sandbox): Promise<void> {
  expect(await ken(['trust'])).toMatchObject({ code: 4 });
  writeOwnConfig(home, `approvals.noninteractive = "allow"\n${config(true)}`);
  expect(await ken(['trust'])).toMatchObject({ code: 0 });
}

it('a link out of the workspace is trusted for its real target alone', async () => {
  const box = place(true);
  const link = path.join(box.root, 't/e');
  symlinkSync('../../outside', link);
  const { stdout } = await box.ken(['trust', '--show']);
  expect(stdout).toBe(
    `+ links out of the workspace: t/e = ${JSON.stringify(path.join(box.root, '../outside'))}\n` +
      '    It is read as part of a topic, with all below it.\n',
  );
  await trust(box);
  expect((await box.ken(['learn', 't', 'e/secret'])).stdout).toBe(SECRET);
  box.write('../other/secret.md', 'another secret\n');
  rmSync(link);
  symlinkSync('../../other', link);
  expect(await box.ken(['learn', 't', 'e/secret'])).toMatchObject({ code: 3, stdout: '' });
  expect((await box.ken(['trust', '--show', '--json'])).stdout).toContain('"state":"changed"');
  // A link inside what is trusted leads no further either.
  rmSync(link);
  symlinkSync('../../outside', link);
  symlinkSync('../other/secret.md', path.join(box.root, '../outside/further.md'));
  expect(await box.ken(['learn', 't', 'e/further'])).toMatchObject({ code: 3, stdout: '' });
});

it('an absolute link, and a link to a link, are not followed', async () => {
  for (const followSymlinks of [false, true]) {
    const { ken, root } = place(followSymlinks);
    symlinkSync(path.join(root, 't-secret/secret.md'), path.join(root, 't/absolute.md'));
    symlinkSync('absolute.md', path.join(root, 't/second.md'));
    for (const slug of ['absolute', 'second']) {
      const { stdout } = await ken(['learn', 't', slug]);
      expect(stdout).toBe(followSymlinks ? SECRET : '');
    }
  }
});

it('the directory of a topic may not be a link out of the workspace', async () => {
  for (const followSymlinks of [false, true]) {
    const sandboxed = sandboxHere('');
    const { ken, root, home } = sandboxed;
    writeOwnConfig(home, config(followSymlinks));
    mkdirSync(path.join(root, '../outside'));
    symlinkSync('../outside', path.join(root, 't'));
    const box = { ken, root };
    const add = () => box.ken(['kb', 'add', 't/new', '-'], { input: 'x' });
    expect((await add()).code).toBe(1);
    if (followSymlinks) await trust(sandboxed);
    expect((await add()).code).toBe(followSymlinks ? 0 : 1);
    const { stdout } = await box.ken(['learn', 't', 'new']);
    expect(stdout).toBe(followSymlinks ? 'x\n' : '');
  }
});

it.each([
  '../t-secret/secret',
  '/etc/passwd',
  '..%2ft-secret%2fsecret',
  '..\\t-secret\\secret',
  './good',
  'good/../good',
  '../**',
  '/**',
])('the slug %j reaches nothing', async (slug) => {
  expect(await place(true).ken(['learn', 't', slug])).toMatchObject({ code: 3, stdout: '' });
});

it.each(['../outside', '/etc', 'a/../../outside', ''])(
  'subjects = %j is a config error',
  async (subjects) => {
    const { ken } = sandboxHere(`[kb.topic.t]\nsubjects = ${JSON.stringify(subjects)}\n`);
    const { code, stdout, stderr } = await ken(['learn', 't']);
    expect({ code, stdout, names: stderr.includes('kb.topic.t.subjects') }).toEqual({
      code: 1,
      stdout: '',
      names: true,
    });
  },
);

it('no topic is made through a link out of the workspace', async () => {
  const { ken, root } = place(false);
  symlinkSync('../../outside', path.join(root, '.ken/kb'));
  const { code, stderr } = await ken(['kb', 'new', 'other']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `ken: ${root}/.ken/kb is a link that leaves ${root}.\nhint: Use another name. Nothing was written.\n`,
  });
  expect(existsSync(path.join(root, '../outside/other'))).toBe(false);
  expect((await ken(['config', 'show', 'kb.topic'])).stdout).not.toContain('other');
});

it('nothing is written through a link, nor above the topic', async () => {
  const { ken, root } = place(false);
  symlinkSync('../t-secret', path.join(root, 't/d'));
  for (const name of ['d/new', '../t-secret/new', '/tmp/new', 'x/../../t-secret/new']) {
    expect((await ken(['kb', 'add', `t/${name}`, '-'], { input: 'x' })).code).not.toBe(0);
  }
  expect((await ken(['kb', 'new', 'up', '--directory', '../outside/new'])).code).not.toBe(0);
  const { stdout } = await ken(['learn', 't', '**']);
  expect(stdout).toBe('<subject "good">\ngood\n</subject>\n');
});
