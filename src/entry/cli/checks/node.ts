import { ok, problem, type RunCheck } from './check.ts';

const REQUIRED_MAJOR = 24;

export const checkNode: RunCheck = async () => {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= REQUIRED_MAJOR) return ok(node);
  return problem(`${node} is too old`, `Install Node ${REQUIRED_MAJOR} or newer.`);
};
