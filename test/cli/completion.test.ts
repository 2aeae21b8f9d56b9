import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sandboxHere } from './ken-here.ts';
import { askFish, shellProblem, typeInto } from './type-into-shell.ts';

const CONFIG = '[kb.topic.project]\nsubjects = ".ken/kb/project"\n';

it('answers a shell with suggestions and what to do when there are none', async () => {
  const { ken } = sandboxHere(CONFIG);
  expect(await ken(['complete', '--', 'config', 's'])).toEqual({
    code: 0,
    stdout:
      'show\tprint the effective configuration\n' +
      'set\twrite a key into a config file, keeping its comments\n' +
      'schema\tprint the JSON Schema of the configuration\n' +
      ':4\n',
    stderr: '',
  });
  expect(await ken(['complete', '--line', 'ken config show "kb.topic.project.t'])).toMatchObject({
    stdout: 'kb.topic.project.title\tShown to the assistant in place of the id.\n:4\n',
  });
  expect(await ken(['complete', '--', '--workspace', ''])).toMatchObject({ stdout: ':16\n' });
  expect(await ken(['complete'])).toMatchObject({ code: 0, stderr: '' });
});

it('suggests nothing, quietly, when the config is broken', async () => {
  const { ken } = sandboxHere('this is = not [ TOML');
  expect(await ken(['complete', '--', 'config', 'show', ''])).toEqual({
    code: 0,
    stdout: ':4\n',
    stderr: '',
  });
});

it('looks in the workspace that the line names', async () => {
  const { ken, write, root } = sandboxHere(CONFIG);
  write('other/.ken/config.toml', '[kb.topic.elsewhere]\nsubjects = ".ken/kb/x"\n');
  const { stdout } = await ken([
    'complete',
    '--',
    '--workspace',
    `${root}/other`,
    'config',
    'show',
    'kb.topic.',
  ]);
  expect(stdout).toContain('kb.topic.elsewhere.title\t');
  expect(stdout).not.toContain('kb.topic.project');
});

it.each(['bash', 'zsh', 'fish'])('prints a script for %s, without a word on the side', async (shell) => {
  const { code, stdout, stderr } = await sandboxHere().ken(['completion', shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`# Completion of ken for ${shell}.\n`);
});

it('knows no other shell', async () => {
  expect(await sandboxHere().ken(['completion', 'fsh'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'ken: <shell> is one of bash, zsh, fish; "fsh" is not.\nhint: Did you mean fish or zsh?\n',
  });
});

const HOSTILE = `ken() {
  if [ "$1" = complete ]; then printf '%s\\t\\n' 'x$(touch pwned)' && echo :4; return; fi
  printf 'RAN'; printf ' <%s>' "$@"; echo
}
`;

for (const shell of ['bash', 'zsh'] as const) {
  const problem = shellProblem(shell);
  const title = (text: string) => `${shell} ${text}${problem ? ` (skipped: ${problem})` : ''}`;

  it.skipIf(problem)(title('completes commands, options, values and files as they are typed'), async () => {
    const place = sandboxHere(CONFIG);
    place.write('garden/beds/note.txt', '');
    expect(
      await typeInto(shell, place, {
        keys: [
          'ken stat\t',
          'ken config sho\tkb.topic.project.ti\t--orig\t',
          'ken --cfg=x conf\tche\t',
          `ken --workspace=${place.root}/gar\t`,
          `ken init ${place.root}/garden/b\t`,
          'ken config show "kb.topic.project.ti\t',
        ],
      }),
    ).toEqual(
      [
        '<status>',
        '<config> <show> <kb.topic.project.title> <--origin>',
        '<--cfg=x> <config> <check>',
        `<--workspace=${place.root}/garden/>`,
        `<init> <${place.root}/garden/beds/>`,
        '<config> <show> <kb.topic.project.title>',
      ].map((words) => (shell === 'zsh' ? words.replace(/\/>$/, '>') : words)),
    );
  });

  it.skipIf(problem)(title('runs nothing that was only typed or suggested'), async () => {
    const place = sandboxHere(CONFIG);
    const ran = await typeInto(shell, place, {
      extra: HOSTILE,
      keys: ['ken \t', "ken 'safe' '$(touch typed)' st\t\u0015"],
    });
    expect(ran).toEqual(['<x$(touch pwned)>']);
    expect([existsSync(`${place.root}/pwned`), existsSync(`${place.root}/typed`)]).toEqual([false, false]);
  });
}

const fishProblem = shellProblem('fish');
it.skipIf(fishProblem)(`fish completes${fishProblem ? ` (skipped: ${fishProblem})` : ''}`, async () => {
  const place = sandboxHere(CONFIG);
  place.write('garden/beds/note.txt', '');
  const { root } = place;
  expect(
    await askFish(place, [
      'ken stat',
      'ken config show kb.topic.project.ti',
      `ken --workspace=${root}/gar`,
      `ken init ${root}/garden/b`,
      'ken config show --o',
    ]),
  ).toBe(
    [
      'status\tshow what is here, what is stale and what needs your approval',
      'kb.topic.project.title\tShown to the assistant in place of the id.',
      `--workspace=${root}/garden/\tDirectory`,
      `${root}/garden/beds/\tDirectory`,
      '--origin\tshow where each value comes from',
      '',
    ].join('\n\n'),
  );
});
