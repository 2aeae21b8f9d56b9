import { ok, problem, type RunCheck } from './check.ts';

export const checkDirectories: RunCheck = async ({ app: { directories, workspace, places } }) => {
  const all = [...new Set([...Object.values(directories), ...(workspace ? [workspace.home] : [])])];
  const reasons = await Promise.all(
    all.map(async (directory) => ({ directory, reason: await places.whyNotWritable(directory) })),
  );
  const wrong = reasons.filter(({ reason }) => reason !== undefined);
  if (wrong.length === 0) return ok(`${all.length} can be written to`);
  return problem(
    wrong.map(({ directory, reason }) => `${directory} cannot be written to: ${reason}`).join('; '),
    'Check who owns them, or set KEN_HOME to a directory of yours.',
  );
};
