import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { LAUNCHER } from '../cli/launcher.ts';

const ANNOTATE = path.join(import.meta.dirname, '../../.github/action/annotate.cjs');

/** As the action runs it: in the repository, with `ken` on the PATH. */
function annotated(place: ReturnType<typeof sandbox>, environment: Record<string, string> = {}) {
  const program = place.write('../bin/ken', `#!/bin/sh\nexec "${process.execPath}" "${LAUNCHER}" "$@"\n`);
  spawnSync('chmod', ['+x', program]);
  const { status, stdout, stderr } = spawnSync(process.execPath, [ANNOTATE], {
    cwd: place.root,
    encoding: 'utf8',
    env: {
      PATH: `${path.dirname(program)}:/usr/bin:/bin`,
      HOME: place.home,
      KEN_HOME: place.home,
      GITHUB_WORKSPACE: path.dirname(place.root),
      ...environment,
    },
  });
  return { status, stdout, stderr };
}

async function broken() {
  const place = sandboxHere('[kb.topic.notes]\nsubjects = "notes"\n[kb.topic.gone]\nsubjects = "gone"\n');
  place.write('notes/a, b.md', new Uint8Array([0, 1, 2]));
  place.write('docs/ports.md', '# Ports\n\nThe API listens on 8080.\n');
  const words = ['k', 'add', '--id', 'ports', '--title', 'Ports', '--text', '8080'];
  await place.ken([...words, '--provenance', 'file:docs/ports.md#L3']);
  place.write('docs/ports.md', '# Ports\n\nThe API listens on 9090.\n');
  return place;
}

it('marks what it finds at the files and lines of a pull request', async () => {
  const { status, stdout, stderr } = annotated(await broken());
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toEqual([
    '::error file=work/notes/a%2C b.md::notes/a, b: it is a binary file',
    '::error file=work/.ken/config.toml::gone: gone does not exist',
    expect.stringMatching(
      /^::error file=work\/docs\/ports\.md,line=3::The entry "ports" cites file:docs\/ports\.md#L3: what stood there/,
    ),
    '3 findings',
    '',
  ]);
  expect(status).toBe(1);
});

it('checks what it is told to, and fails when it is told to', async () => {
  const place = await broken();
  expect(annotated(place, { KEN_CHECKS: 'kb', KEN_FAIL_ON: 'never' })).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/\n2 findings\n$/),
  });
  expect(annotated(place, { KEN_CHECKS: 'all' }).stderr).toContain('There is no check "all".');
});

it('passes where nothing is wrong', () => {
  const place = sandbox('[kb.topic.notes]\nsubjects = "notes"\n');
  place.write('notes/a.md', '# A\n');
  expect(annotated(place)).toEqual({ status: 0, stdout: '0 findings\n', stderr: '' });
});
