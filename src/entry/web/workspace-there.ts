import { access } from 'node:fs/promises';
import type { App } from '../../app.ts';
import { Fault } from '../../base/fault.ts';

/** A Fault when the workspace was moved or removed while its page runs: writing would make another one in its place. */
export async function requireWorkspaceThere({ workspace }: Pick<App, 'workspace'>): Promise<void> {
  if (!workspace) return;
  try {
    await access(workspace.home);
  } catch (cause) {
    throw new Fault('workspace/not-found', `The workspace is no longer at ${workspace.root}.`, {
      hint: 'Move it back, or end this page and run "ken web" where it is now.',
      cause,
    });
  }
}
