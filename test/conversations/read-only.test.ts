import { chmodSync, chownSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../cli/ken.ts';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const asNobody = isRoot;

/** Nothing in the workspace can be written to, by its owner neither; root, who ignores that, gives it away. */
function readOnly(place: Sandbox): void {
  const base = path.dirname(place.root);
  for (const entry of ['', ...readdirSync(base, { recursive: true, encoding: 'utf8' })])
    if (isRoot) chownSync(path.join(base, entry), NOBODY, NOBODY);
  for (const directory of ['.ken/kb/project', '.ken/kb', '.ken', ''])
    chmodSync(path.join(place.root, directory), 0o555);
}

function writable(place: Sandbox): void {
  for (const directory of ['', '.ken', '.ken/kb', '.ken/kb/project'])
    chmodSync(path.join(place.root, directory), 0o755);
}

it('a workspace that may only be read can be searched and asked, with --local; without, it is said why not', async () => {
  const place = sandbox('[kb.topic.project]\nsubjects = ".ken/kb/project"\n');
  place.write('.ken/kb/project/deploy.md', '# Deploy\n\nTo deploy, push to main.\n');
  readOnly(place);
  try {
    const question = 'How do we deploy?';
    expect(await place.ken(['-q', 'q', '-n', '--local', question], { asNobody })).toEqual({
      code: 0,
      stdout:
        'Quoted from what ken knows; no language model has read or judged it.\n\n' +
        '> To deploy, push to main.\n\n— ken://kb/project/deploy#L3 (Deploy)\n',
      stderr: '',
    });
    const found = await place.ken(['search', 'push to main', '--json'], { asNobody });
    expect({ ...found, stdout: JSON.parse(found.stdout).hits[0].citation.uri }).toEqual({
      code: 0,
      stdout: 'ken://kb/project/deploy#L3',
      stderr: '',
    });
    expect(readdirSync(path.join(place.root, '.ken')).sort()).toEqual(['config.toml', 'kb']);
    const refused = await place.ken(['-q', 'q', '-n', question], { asNobody });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^ken: Cannot write \S+\/\.ken\/conversations\/\S+: permission denied\.\nhint: .+\n$/,
    );
  } finally {
    writable(place);
  }
});
