/** A real shell on a real terminal, with somebody typing into it. */

import { spawnSync } from 'node:child_process';
import type { Sandbox } from './ken.ts';
import { LAUNCHER as launcher } from './launcher.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/** Why this cannot be tried on this machine, or nothing when it can. */
export function shellProblem(shell: Shell): string | undefined {
  for (const program of shell === 'fish' ? [shell] : [shell, 'script'])
    if (spawnSync(program, ['--version']).status !== 0) return `${program} is not installed here`;
  return undefined;
}

/** In it `ken` completes as it does for everyone, and when it is run it only says which words it got. */
const POSIX_KEN = `ken() {
  if [ "$1" = complete ]; then "${process.execPath}" "${launcher}" "$@"; return; fi
  printf 'RAN'; printf ' <%s>' "$@"; echo
}
`;

/** Types the keys into bash or zsh, a line each, and answers what ken was run with. `extra` is read first. */
export async function typeInto(
  shell: 'bash' | 'zsh',
  { shell: run, write, root }: Sandbox,
  { keys, extra = '' }: { readonly keys: readonly string[]; readonly extra?: string },
): Promise<readonly string[]> {
  const loading = `source <("${process.execPath}" "${launcher}" completion ${shell})\n`;
  write('.zshrc', `autoload -U compinit; compinit -u -D\n${POSIX_KEN}${loading}${extra}`);
  write('.bashrc', `${POSIX_KEN}${loading}${extra}`);
  const start = shell === 'bash' ? `bash --noprofile --rcfile ${root}/.bashrc -i` : 'zsh -i';
  const { stdout } = await run(`TERM=dumb ZDOTDIR=${root} script -qec '${start}' /dev/null`, {
    input: `${[...keys, 'exit'].join('\n')}\n`,
  });
  return [...stdout.matchAll(/^RAN ?(.*?)\r?$/gm)].map(([, words = '']) => words);
}

/** Suggestions of fish for each line. */
export async function askFish({ shell, write }: Sandbox, lines: readonly string[]): Promise<string> {
  const script = write(
    'ask.fish',
    [
      `function ken; "${process.execPath}" "${launcher}" $argv; end`,
      'ken completion fish | source',
      ...lines.map((line) => `complete -C '${line}'; echo --`),
    ].join('\n'),
  );
  return (await shell(`fish --no-config ${script}`)).stdout;
}
