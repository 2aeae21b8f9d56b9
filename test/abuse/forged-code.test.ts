import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { shareNoCompiledCode } from '../cli/shared-code.ts';
import { forgeCompiledCode, RAN } from './forged-code.ts';

/** Forged code stays in this place: no other test may run it. */
function forgersPlace(): Sandbox {
  const place = sandbox();
  shareNoCompiledCode(place.home);
  return place;
}

const COMMANDS = ['status', 'learn', 'mcp', 'help'];

interface Trap {
  readonly name: string;
  /** Prepares the workspace; returns the environment in which ken is run, and from where. */
  set(place: Sandbox, command: string): { environment: Record<string, string>; directory?: string };
}

/** As in a shell without `KEN_HOME`. */
const xdg = ({ home }: Sandbox, cache: string) => ({ KEN_HOME: '', HOME: home, XDG_CACHE_HOME: cache });

const TRAPS: readonly Trap[] = [
  {
    name: 'a cache directory in the workspace',
    set(place, command) {
      place.write('.ken/config.toml', '');
      const cache = path.join(place.root, '.cache');
      forgeCompiledCode(path.join(cache, 'ken/compiled'), command);
      return { environment: xdg(place, cache) };
    },
  },
  {
    name: 'a cache directory in a clone that is no workspace',
    set(place, command) {
      mkdirSync(path.join(place.root, '.git'));
      mkdirSync(path.join(place.root, 'src'));
      const cache = path.join(place.root, '.cache');
      forgeCompiledCode(path.join(cache, 'ken/compiled'), command);
      return { environment: xdg(place, cache), directory: path.join(place.root, 'src') };
    },
  },
  {
    name: 'a cache directory in an unpacked archive',
    set(place, command) {
      const cache = path.join(place.root, 'cache');
      forgeCompiledCode(path.join(cache, 'ken/compiled'), command);
      return { environment: xdg(place, cache) };
    },
  },
  {
    name: 'KEN_HOME in the workspace',
    set(place, command) {
      place.write('.ken/config.toml', '');
      forgeCompiledCode(path.join(place.root, 'kh/cache/compiled'), command);
      return { environment: { KEN_HOME: 'kh' } };
    },
  },
  {
    name: 'a link of the workspace to the cache of another one',
    set(place, command) {
      place.write('.ken/config.toml', '');
      forgeCompiledCode(path.join(place.root, 'real'), command);
      mkdirSync(path.join(place.home, 'cache'), { recursive: true });
      rmSync(path.join(place.home, 'cache/compiled'), { recursive: true, force: true });
      symlinkSync(path.join(place.root, 'real'), path.join(place.home, 'cache/compiled'));
      return { environment: {} };
    },
  },
  {
    name: 'a directory that others may write',
    set(place, command) {
      const compiled = path.join(place.home, 'cache/compiled');
      forgeCompiledCode(compiled, command);
      chmodSync(compiled, 0o770);
      return { environment: {} };
    },
  },
];

it.each(TRAPS)('runs no compiled code from $name', async ({ set }) => {
  for (const command of COMMANDS) {
    const place = forgersPlace();
    const { stdout, stderr } = await place.ken([command], set(place, command));
    expect(stdout + stderr).not.toContain(RAN);
  }
});

// The binary has other flags of V8, which refuses what this Node compiled.
it.skipIf(process.env.KEN_TEST_BINARY)(
  'would run it from the operator’s own directory, so that the cases above are known to try',
  async () => {
    const place = forgersPlace();
    forgeCompiledCode(path.join(place.home, 'cache/compiled'), 'status');
    expect((await place.ken(['status'])).stdout).toContain(RAN);
  },
);

it('works without a cache directory that lies in the workspace, and says so once', async () => {
  const place = sandbox('[kb.topic.garden]\nsubjects = ".ken/kb/garden"\n');
  place.write('.ken/kb/garden/tea.md', '# Tea\n\nSteep it for three minutes.\n');
  const cache = path.join(place.root, '.cache');
  const environment = xdg(place, cache);
  const { code, stdout, stderr } = await place.ken(['search', 'steep'], { environment });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `warning: the cache directory ${cache}/ken lies inside the workspace and is not used; ${place.home}/.local/state/ken/cache is.\n`,
  });
  expect(stdout).toContain('garden/tea');
  expect(existsSync(cache)).toBe(false);
});

it.each(['CONFIG', 'DATA', 'STATE'])(
  'refuses a %s directory in the workspace before it reads there',
  async (which) => {
    const place = sandbox('');
    place.write('e/ken/config.toml', 'this is not TOML');
    const environment = { KEN_HOME: '', [`XDG_${which}_HOME`]: path.join(place.root, 'e') };
    expect(await place.ken(['status'], { environment })).toEqual({
      code: 4,
      stdout: '',
      stderr:
        `ken: ${place.root}/e/ken, where your own files are kept, lies inside the workspace.\n` +
        'hint: Let KEN_HOME and the XDG variables name directories outside of it.\n',
    });
  },
);
