import type { ReadSection } from './section.ts';

export const readWorkspace: ReadSection = async ({ workspace, settings }) => {
  const files = settings.files.map(({ file }) => file);
  return {
    lines: [workspace.root, files.length === 1 ? '1 config file' : `${files.length} config files`],
    data: { root: workspace.root, config_files: files },
  };
};
