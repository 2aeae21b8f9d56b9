import path from 'node:path';
import { configFiles } from '../adapters/files/config-files.ts';
import type { App, ConversationPorts, OpenRequest, Settings } from '../app.ts';
import type { Definition, DefinitionSource } from '../base/approvals.ts';
import { Fault } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { Workspace } from '../base/places.ts';
import { type LoadRequest, loadLayers } from '../config/load.ts';
import { type Layer, resolveConfig } from '../config/resolve.ts';
import type { Config } from '../config/schema.ts';
import type { TrustStore } from '../domain/approvals/trust.ts';
import type { Surroundings } from './part.ts';

export async function loadRequestOf(
  { request, directories, workspace }: Surroundings,
  approvals: Pick<App, 'lock' | 'trust'>,
  conversations: ConversationPorts | undefined,
): Promise<LoadRequest> {
  return {
    async isSigned(file, permitted) {
      if ((await approvals.lock.state()).kind === 'off') return true;
      const { areSettingsSigned } = await import('../domain/approvals/lock/own-settings.ts');
      return areSettingsSigned(approvals, file, permitted);
    },
    userDirectory: directories.config,
    authorityFile: path.join(directories.data, 'authority.toml'),
    workspace,
    environment: request.environment,
    conversation: (conversations && (await request.conversation?.(conversations))) ?? [],
    assignments: request.assignments,
    directory: request.directory,
    flags: request.flags,
  };
}

export async function openConfig(
  request: OpenRequest,
  loadRequest: LoadRequest,
  { trust: store, lock }: Pick<App, 'lock' | 'trust'>,
): Promise<{ config: Config; settings: Settings }> {
  const loaded = request.ignoresConfig
    ? { layers: [], persistentLayers: 0, files: [], doubts: [] }
    : await loadLayers(configFiles, loadRequest);
  let checked: TrustCheck = { trust: 'nothing', sources: [] };
  const { config, problems, omissions, skipped } = await resolveConfig(loaded.layers, async () => {
    checked = await checkTrust(store, loadRequest.workspace, loaded.layers).catch(asUntrusted(request));
    return checked.trust === 'trusted';
  });
  const [problem] = problems;
  if (problem && !request.toleratesTrouble) {
    const { problemFault } = await import('../config/report.ts');
    throw await problemFault(loaded.files, problem);
  }
  if ((omissions.length > 0 || loaded.doubts.length > 0) && !request.isAboutTrust) {
    const { omissionWarnings } = await import('../config/report.ts');
    const warnings = await omissionWarnings(loaded, omissions, checked.trust === 'changed');
    for (const warning of warnings) request.warn(warning);
  }
  if (skipped.length > 0) {
    const { skippedWarnings } = await import('../config/report.ts');
    for (const warning of skippedWarnings(skipped)) request.warn(warning);
  }
  const isTrusted = checked.trust === 'trusted';
  return {
    config: await decidedByOperator(config, lock, request),
    settings: { ...loaded, problems, omissions, isTrusted, ...checked },
  };
}

/** While approvals are locked, nothing decides in the operator's place: no setting, and no form of a client. */
async function decidedByOperator(config: Config, lock: App['lock'], { warn }: OpenRequest): Promise<Config> {
  const { approvals, mcp } = config;
  if (approvals.noninteractive !== 'allow' && mcp.trusted_clients.length === 0) return config;
  if ((await lock.state()).kind === 'off') return config;
  warn('approvals are locked, so approvals.noninteractive and mcp.trusted_clients decide nothing.');
  return {
    ...config,
    approvals: { ...approvals, noninteractive: 'pending' },
    mcp: { ...mcp, trusted_clients: [] },
  };
}

type TrustCheck = Pick<Settings, 'trust' | 'sources'>;

/** Runs only when a file of the workspace defines something that needs trust. */
export async function checkTrust(
  store: TrustStore,
  workspace: Workspace | undefined,
  layers: readonly Layer[],
): Promise<TrustCheck> {
  if (!workspace) return { trust: 'untrusted', sources: [] };
  const { definitionSources } = await import('../config/definition-sources.ts');
  const { trustState } = await import('../domain/approvals/trust.ts');
  const sources = await definitionSources(await sourceReader(workspace), layers);
  return { trust: trustState(await store.get(workspace.root), sources), sources };
}

/** A trust database that cannot be read takes rights away; commands that need none go on. */
function asUntrusted({ warn }: OpenRequest) {
  return (error: unknown): TrustCheck => {
    if (!(error instanceof Fault)) throw error;
    warn(`what you trust cannot be read: ${error.message}`);
    return { trust: 'untrusted', sources: [] };
  };
}

export async function allOwnSettings(loadRequest: LoadRequest): Promise<readonly DefinitionSource[]> {
  const { ownSettings } = await import('../config/definition-sources.ts');
  return ownSettings(configFiles, loadRequest);
}

export async function allDefinitions(
  loadRequest: LoadRequest,
  config: Config,
): Promise<readonly DefinitionSource[]> {
  const { workspace } = loadRequest;
  if (!workspace) return [];
  const { everyDefinitionSource } = await import('../config/definition-sources.ts');
  const request = { ...loadRequest, loadPaths: config.config_load_paths };
  const sources = await everyDefinitionSource(await sourceReader(workspace), configFiles, request);
  const { OUTSIDE_LINKS } = await import('../domain/approvals/trust.ts');
  const links = await followedLinks(loadRequest, workspace);
  return links.length > 0
    ? [...sources, { file: OUTSIDE_LINKS, isAlwaysRead: false, definitions: links }]
    : sources;
}

/** The links that topics would follow out of the workspace if it were trusted, each bound to its real target. */
async function followedLinks(loadRequest: LoadRequest, { root }: Workspace): Promise<Definition[]> {
  const { outsideLinks } = await import('../adapters/files/subject-files.ts');
  const { knowledgeBaseFrom } = await import('../domain/knowledge-base/topic.ts');
  const { layers } = await loadLayers(configFiles, loadRequest);
  const { config } = await resolveConfig(layers, async () => true);
  const following = knowledgeBaseFrom(config.kb).topics.filter(({ followSymlinks }) => followSymlinks);
  const found = await Promise.all(following.map(({ directory }) => outsideLinks(root, directory)));
  const words = 'It is read as part of a topic, with all below it.';
  return found.flat().map(({ link, real }) => ({ key: link, value: JSON.stringify(real), words }));
}

async function sourceReader({ root }: Workspace) {
  const { fileDigest } = await import('../adapters/files/file-digest.ts');
  return {
    root,
    digestOf: (file: string) => fileDigest(root, file),
    async accessInWords(entry: Json) {
      const { entryInWords } = await import('../domain/tools/components/file-access.ts');
      const { outsideEntryInWords } = await import('../domain/tools/components/outside-access.ts');
      return [entryInWords(entry), outsideEntryInWords(entry)].filter(Boolean).join(' ');
    },
  };
}
