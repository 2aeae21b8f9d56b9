import path from 'node:path';
import type { WorkspaceApp } from '../../../app.ts';

/** Everything that decides how a workspace is opened: the text of each configuration file, and the trust in it. */
export async function configurationText(app: WorkspaceApp): Promise<string> {
  const { configFiles, directories, workspace, settings, trust } = app;
  const own = [path.join(directories.config, 'config.toml'), path.join(directories.data, 'authority.toml')];
  const named = ['config.toml', 'config.local.toml'].map((name) => path.join(workspace.home, name));
  const files = new Set([...own, ...named, ...settings.files.map(({ file }) => file)]);
  const texts = [...files].map(async (file) => {
    const within = configFiles.isInside(file, workspace.root) ? workspace.root : undefined;
    return [file, await configFiles.read(file, within).catch(() => 'unreadable')];
  });
  return JSON.stringify([await Promise.all(texts), await trust.get(workspace.root)]);
}
