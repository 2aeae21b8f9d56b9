/**
 * ken as an account whose listed home is a directory of the test: the lock on approvals lies there, whatever HOME and
 * KEN_HOME say. The list of accounts is replaced in a mount namespace, which only the processes of the test see.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Keys, Screen } from '../cli/at-terminal.ts';
import { type Result, type Sandbox, sandbox } from '../cli/ken.ts';
import { LAUNCHER as launcher } from '../cli/launcher.ts';
import { openPty, ptyProblem } from '../cli/pty.ts';

const UNSHARE = ['--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])];

/** Why no such account can be made here, or nothing. */
export function ownAccountProblem(): string | undefined {
  const { status } = spawnSync('unshare', [...UNSHARE, 'true'], { stdio: 'ignore' });
  return status === 0 ? ptyProblem() : 'no mount namespace can be made here';
}

export interface OwnAccount extends Sandbox {
  /** The home directory that the system lists; not `home`, which is KEN_HOME. */
  readonly listedHome: string;
  /** The account's own /etc. */
  readonly etc: string;
  /** Runs a line of bash in which `ken` is the real binary, without a terminal. */
  line(script: string, environment?: Record<string, string>): Promise<Result>;
  /** The same at a terminal. */
  at(script: string, typed: readonly Keys[], environment?: Record<string, string>): Promise<Screen>;
}

export function ownAccount(config?: string): OwnAccount {
  const place = sandbox(config);
  const base = path.dirname(place.root);
  const [listedHome, etc] = [path.join(base, 'listed'), path.join(base, 'etc')];
  mkdirSync(listedHome);
  mkdirSync(etc);
  writeFileSync(path.join(etc, 'passwd'), `ada:x:0:0::${listedHome}:/bin/sh\n`);
  writeFileSync(path.join(etc, 'nsswitch.conf'), 'passwd: files\n');
  let scripts = 0;
  const script = (line: string) => {
    const file = path.join(base, `line-${++scripts}.sh`);
    const defined = `ken() { "${process.execPath}" "${launcher}" "$@"; }\nexport -f ken\n`;
    writeFileSync(file, `mount --bind '${etc}' /etc\n${defined}${line}\n`);
    return `unshare ${UNSHARE.join(' ')} bash '${file}'`;
  };
  return {
    ...place,
    listedHome,
    etc,
    line: (line, environment = {}) => place.shell(script(line), { environment }),
    async at(line, typed, environment = {}) {
      const pty = openPty(script(line), {
        directory: place.root,
        environment: { HOME: place.home, KEN_HOME: place.home, TERM: 'dumb', ...environment },
      });
      for (const { after, keys } of typed) {
        await pty.waitFor(after);
        pty.type(keys);
      }
      const { code, output } = await pty.ended();
      return { code, text: output.replace(/\r+\n/g, '\n') };
    },
  };
}
