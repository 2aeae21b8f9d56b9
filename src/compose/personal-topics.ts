/** Topics of the personal workspace, which the operator may have offered in every workspace. */

import path from 'node:path';
import { configFiles } from '../adapters/files/config-files.ts';
import { namedWorkspace } from '../adapters/files/find-workspace.ts';
import type { App } from '../app.ts';
import { Fault } from '../base/fault.ts';
import type { Workspace } from '../base/places.ts';
import { shellWord } from '../base/shell-words.ts';
import { type LoadRequest, loadLayers } from '../config/load.ts';
import { resolveConfig } from '../config/resolve.ts';
import type { Config } from '../config/schema.ts';
import { knowledgeBaseFrom, type Topic } from '../domain/knowledge-base/topic.ts';
import { checkTrust } from './configuration.ts';
import type { Surroundings } from './part.ts';

/** The workspace around has no say in them: only files of the personal workspace and of the operator are read. */
export async function personalTopics(
  { request, directories, workspace }: Surroundings,
  loadRequest: LoadRequest,
  { kb }: Config,
  { trust }: Pick<App, 'trust'>,
): Promise<readonly Topic[]> {
  if (!kb.personal || !workspace || request.ignoresConfig) return [];
  const personal = personalWorkspace(directories.data);
  if (!personal || personal.root === workspace.root) return [];
  const nothing = { environment: {}, conversation: [], assignments: [], flags: () => [] };
  const { layers } = await loadLayers(configFiles, {
    ...loadRequest,
    ...nothing,
    workspace: personal,
    directory: personal.root,
  });
  const resolved = await resolveConfig(
    layers,
    async () => (await checkTrust(trust, personal, layers)).trust === 'trusted',
  );
  const [problem] = resolved.problems;
  if (problem) {
    request.warn(
      `topics of your personal workspace are not offered: its configuration has a mistake, which "ken config check --workspace ${shellWord(personal.root)}" names.`,
    );
    return [];
  }
  return knowledgeBaseFrom(resolved.config.kb).topics.map((topic) => ({ ...topic, root: personal.root }));
}

/** Undefined where there is none yet, or none that can be used. */
function personalWorkspace(dataDirectory: string): Workspace | undefined {
  try {
    return namedWorkspace(path.join(dataDirectory, 'personal'));
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
