import { fromFault, ok, type RunCheck, warning } from './check.ts';

export const checkConfig: RunCheck = async ({ app, configFault }) => {
  if (configFault) return fromFault(configFault, 'Run "ken config check" to see every mistake.');
  const { files, leftOut } = app.settings;
  if (leftOut.length > 0) {
    const keys = leftOut.length === 1 ? 'one key is' : `${leftOut.length} keys are`;
    return warning(
      `${keys} not in force`,
      'Run "ken config check" to see which; the workspace may not set them.',
    );
  }
  return ok(files.length === 1 ? '1 file, nothing wrong' : `${files.length} files, nothing wrong`);
};
