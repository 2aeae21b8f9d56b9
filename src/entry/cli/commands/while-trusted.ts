import path from 'node:path';
import type { App } from '../../../app.ts';

/** Changes a config file of the workspace for the operator; see `keepTrust`. */
export async function whileTrusted<Result>(
  app: App,
  workspace: string,
  file: string,
  write: () => Promise<Result>,
): Promise<Result> {
  const { keepTrust } = await import('../../../domain/approvals/operator/keep-trust.ts');
  return keepTrust(app, { workspace, file: path.relative(workspace, file) }, write);
}
