import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { StartRequest } from '../../base/running-process.ts';
import { type ProcessGroup, processGroup } from './process-group.ts';
import { startFault } from './start-fault.ts';

export interface StartedChild {
  readonly child: ChildProcessWithoutNullStreams;
  readonly group: ProcessGroup;
}

/** Starts a program as the leader of a process group of its own. */
export async function startInGroup({ command, directory, environment }: StartRequest): Promise<StartedChild> {
  const [program, ...words] = command;
  const group = processGroup();
  try {
    const env = { ...environment };
    const child = spawn(program, words, { cwd: directory, env, detached: true, stdio: 'pipe' });
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    group.ledBy(child.pid);
    return { child, group };
  } catch (error) {
    group.forget();
    throw startFault(error, program, directory);
  }
}
