import path from 'node:path';
import { ok, type RunCheck, warning } from './check.ts';

export const checkWorkspace: RunCheck = async ({ app: { workspace, skippedWorkspaces, configFiles } }) => {
  const [nearest] = skippedWorkspaces;
  if (nearest) return warning(`${nearest.path} ${nearest.problem}`, nearest.hint);
  if (!workspace) return ok('none here');
  const ignored = await configFiles.read(path.join(workspace.home, '.gitignore'));
  if (ignored === undefined) {
    return warning(
      `${workspace.root} has no .ken/.gitignore`,
      'Run "ken init" to add it, so that databases are not committed.',
    );
  }
  return ok(workspace.root);
};
