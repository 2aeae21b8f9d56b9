import { expect, it } from 'vitest';
import { sandboxHere } from './ken-here.ts';

function box() {
  const made = sandboxHere('[kb.topic.project]\nsubjects = "kb"\ndisabled = ["secret"]\n');
  made.write('kb/ops/deploy.md', '# Deploy\n\none\ntwo\nthree\n');
  made.write('kb/secret.md', 'hush\n');
  return made;
}

it.each([
  ['ken://kb/project/ops/deploy#L3-L4', 'one\ntwo\n'],
  ['ken://kb/project/ops/deploy#L5', 'three\n'],
  ['ken://kb/project/ops/deploy', '# Deploy\n\none\ntwo\nthree\n'],
])('%s prints exactly those lines', async (uri, stdout) => {
  expect(await box().ken(['show', uri])).toEqual({ code: 0, stdout, stderr: '' });
});

it('prints the first line of an empty file, unless the index knew other lines there', async () => {
  const made = box();
  made.write('kb/empty.md', '');
  expect(await made.ken(['show', 'ken://kb/project/empty#L1'])).toEqual({
    code: 0,
    stdout: '\n',
    stderr: '',
  });
  expect((await made.ken(['show', 'ken://kb/project/empty#L2'])).code).toBe(6);
  await made.ken(['search', 'deploy']);
  made.write('kb/ops/deploy.md', '');
  expect(await made.ken(['show', 'ken://kb/project/ops/deploy#L1'])).toEqual({
    code: 6,
    stdout: '\n',
    stderr: 'warning: the content has changed since this was cited: the lines say something else.\n',
  });
});

it('says when the content has changed', async () => {
  expect(await box().ken(['show', 'ken://kb/project/ops/deploy#L5-L9'])).toEqual({
    code: 6,
    stdout: 'three\n',
    stderr: 'warning: the content has changed since this was cited: not all of the lines are there.\n',
  });
});

it.each([
  ['ken://kb/project/gone', 3],
  ['ken://kb/nowhere/x', 3],
  ['ken://kb/project/secret', 3],
  ['ken://conversation/1m7ezjkjqnxq', 3],
  ['http://example.org', 2],
])('%s is refused', async (uri, code) => {
  expect((await box().ken(['show', uri])).code).toBe(code);
});

it('opens every citation that an answer prints', async () => {
  const made = box();
  const { stdout } = await made.ken(['q', '-n', 'What does deploy say about two and three?']);
  const uris = [...stdout.matchAll(/ken:\/\/\S+/g)].map(([uri]) => uri);
  expect(uris).toHaveLength(1);
  for (const uri of uris) expect((await made.ken(['show', uri])).stdout).toBe('one\ntwo\nthree\n');
});

it('shows code in colours where there are colours, and prose as it is', async () => {
  const made = sandboxHere('[kb.topic.project]\nsubjects = "kb"\n');
  made.write('kb/sum.py', '# adds\ndef add(a):\n    return a + 1\n\x1b[31m\n');
  made.write('kb/notes.md', '# return 1\n');
  const show = async (slug: string, ...words: string[]) =>
    (await made.ken([...words, 'show', `ken://kb/project/${slug}`])).stdout;
  const colours = ['-c', 'style.color=always'];
  expect(await show('sum')).toBe('# adds\ndef add(a):\n    return a + 1\n\x1b[31m\n');
  expect(await show('sum', ...colours)).toContain(
    '\x1b[90m# adds\x1b[39m\n\x1b[35mdef\x1b[39m \x1b[34madd\x1b[39m(a):\n    \x1b[35mreturn\x1b[39m a + \x1b[36m1\x1b[39m\n',
  );
  expect(await show('sum', ...colours, '-c', 'style.code=never')).toContain('def add(a):');
  expect(await show('notes', ...colours)).toBe('# return 1\n');
});
