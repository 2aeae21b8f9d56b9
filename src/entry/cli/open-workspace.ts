import path from 'node:path';
import { type App, isInWorkspace, type WorkspaceApp } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import type { Invocation, OpenOptions } from './command.ts';
import type { Terminal } from './terminal.ts';

type Note = Pick<Terminal, 'isInteractive' | 'note'>;

export async function openWorkspace(
  terminal: Note,
  openAnywhere: Invocation['openAnywhere'],
  how: OpenOptions = {},
): Promise<WorkspaceApp> {
  const app = await openAnywhere(how);
  return isInWorkspace(app) ? app : openPersonal(terminal, openAnywhere, app, how);
}

/** Outside of a workspace, the personal one serves. A `.ken` that was found and refused stays an error. */
export async function openPersonal(
  terminal: Note,
  openAnywhere: Invocation['openAnywhere'],
  app: App,
  how: OpenOptions = {},
): Promise<WorkspaceApp> {
  const [nearest] = app.skippedWorkspaces;
  if (nearest) {
    const message = `There is no workspace here or in any directory above: ${nearest.path} ${nearest.problem}.`;
    throw new Fault('workspace/not-found', message, { hint: nearest.hint });
  }
  const workspace = path.join(app.directories.data, 'personal');
  const opened = await unlessMissing(openAnywhere({ ...how, workspace }));
  if (opened && isInWorkspace(opened)) return opened;
  if (!terminal.isInteractive && !how.makesPersonal) {
    throw new Fault('workspace/not-found', 'There is no workspace here or in any directory above.', {
      hint: 'Run "ken init" to make this directory one.',
    });
  }
  await app.places.makeWorkspace(workspace);
  terminal.note(`${workspace} is your personal workspace, which ken uses wherever there is no other.`);
  const made = await openAnywhere({ ...how, workspace });
  if (isInWorkspace(made)) return made;
  throw new Error(`${workspace} was made and cannot be opened.`);
}

async function unlessMissing<Opened>(opening: Promise<Opened>): Promise<Opened | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof Fault && error.code === 'workspace/not-found') return undefined;
    throw error;
  }
}
