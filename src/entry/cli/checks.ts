import { secondsOf } from '../../base/time.ts';
/** The checks of `ken doctor`. Each loads the code that it needs when it runs. */

import path from 'node:path';
import type { App } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import { counted } from '../../base/text.ts';
import type { ConversationTrouble } from '../../domain/conversations/store.ts';
import type { ToolSettings } from '../../domain/tools/tool-settings.ts';

export interface Check {
  /** `kebab-case`, also in the JSON output. */
  readonly id: string;
  readonly title: string;
  /** Skipped without this. A check that needs nothing also runs when the configuration is broken, with the defaults. */
  readonly needs?: 'config' | 'workspace';
  /** May throw: a Fault becomes a problem with its hint, and the other checks go on. */
  readonly run: RunCheck;
}

export type RunCheck = (context: CheckContext, signal: AbortSignal) => Promise<CheckFinding>;

export interface CheckContext {
  readonly app: App;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Checks may connect to what is configured. */
  readonly usesNetwork: boolean;
  readonly configFault: Fault | undefined;
}

/** Messages are parts of sentences: no capital, no full stop. Hints are sentences. */
export type CheckFinding =
  | { readonly status: 'ok'; readonly message: string }
  /** It works, but could work better. */
  | { readonly status: 'warning'; readonly message: string; readonly hint: string }
  /** Something will fail. The hint says what to do. */
  | { readonly status: 'problem'; readonly message: string; readonly hint: string };

export const ok = (message: string): CheckFinding => ({ status: 'ok', message });
const warning = (message: string, hint: string): CheckFinding => ({ status: 'warning', message, hint });
export const problem = (message: string, hint: string): CheckFinding => ({
  status: 'problem',
  message,
  hint,
});

/** `fallback` is the hint of a Fault that has none. */
export function fromFault(fault: Fault, fallback: string): CheckFinding {
  return problem(fault.message.replace(/\.$/, ''), fault.hint ?? fallback);
}

/** In the order of the report. */
export const CHECKS: readonly Check[] = [
  { id: 'node', title: 'Node', run: checkNode },
  { id: 'git', title: 'git', run: checkGit },
  { id: 'gh', title: 'gh', run: checkGh },
  { id: 'config', title: 'Config', run: checkConfig },
  { id: 'directories', title: 'Directories', run: checkDirectories },
  { id: 'workspace', title: 'Workspace', run: checkWorkspace },
  { id: 'disk', title: 'Disk', run: checkDisk },
  { id: 'knowledge-base', title: 'Knowledge base', needs: 'workspace', run: checkKnowledgeBase },
  { id: 'tools', title: 'Tools', needs: 'workspace', run: checkTools },
  { id: 'sandbox', title: 'Sandbox', run: checkSandbox },
  { id: 'model', title: 'Model', needs: 'config', run: checkModel },
  { id: 'embedder', title: 'Embedder', needs: 'config', run: checkEmbedder },
  { id: 'c-compiler', title: 'C compiler', run: checkCCompiler },
  { id: 'ledger', title: 'Ledger', needs: 'workspace', run: checkLedger },
  { id: 'references', title: 'References', needs: 'config', run: checkReferenceLibrary },
  { id: 'conversations', title: 'Conversations', needs: 'workspace', run: checkConversations },
  { id: 'repairs', title: 'Repairs', run: checkRepairs },
  { id: 'trust', title: 'Trust', needs: 'workspace', run: checkTrust },
  { id: 'approvals', title: 'Approvals', run: checkApprovals },
  { id: 'lock', title: 'Lock', run: checkLock },
];

async function checkNode(): Promise<CheckFinding> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= NODE_MAJOR) return ok(node);
  return problem(`${node} is too old`, `Install Node ${NODE_MAJOR} or newer.`);
}

const NODE_MAJOR = 24;

async function checkGit(context: CheckContext, signal: AbortSignal): Promise<CheckFinding> {
  const version = await versionOf('git', context, signal);
  if (version) return ok(version);
  return problem('not found', 'Install git; reference topics are fetched with it.');
}

async function checkGh(context: CheckContext, signal: AbortSignal): Promise<CheckFinding> {
  const version = await versionOf('gh', context, signal);
  if (version) return ok(version);
  return warning('not found', 'Install the GitHub CLI to use private repositories on GitHub.');
}

/** Undefined if the program is not installed. */
async function versionOf(
  program: string,
  { app, environment }: CheckContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  const request = {
    command: [program, '--version'] as const,
    directory: '/',
    environment: { PATH: app.toolEnvironment.PATH ?? '', HOME: environment.HOME ?? '/' },
    limits: PROGRAM_LIMITS,
  };
  try {
    const { exitCode, timedOut, stdout, stderr } = await app.processes.run(request, signal);
    if (exitCode === 0) return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? stdout.split('\n', 1)[0];
    throw new Fault(
      'process/failed',
      timedOut
        ? `"${program} --version" gives no answer within ${PROGRAM_LIMITS.timeoutMs / 1000} s`
        : `"${program} --version" fails: ${stderr.trim() || 'no output'}`,
      { hint: `Run it yourself, and install ${program} again if it does not work.` },
    );
  } catch (error) {
    if (error instanceof Fault && error.code === 'process/not-found') return undefined;
    throw error;
  }
}

const PROGRAM_LIMITS = { timeoutMs: 3000, stdoutBytes: 4096, stderrBytes: 4096 };

async function checkConfig({ app, configFault }: CheckContext): Promise<CheckFinding> {
  if (configFault) return fromFault(configFault, 'Run "ken config check" to see every mistake.');
  const { files, omissions } = app.settings;
  if (omissions.length > 0) {
    return warning(
      `${counted(omissions.length, 'key is', 'keys are')} not in force`,
      'Run "ken config check" to see which; the workspace may not set them.',
    );
  }
  return ok(`${counted(files.length, 'file')}, nothing wrong`);
}

async function checkDirectories({
  app: { directories, workspace, places },
}: CheckContext): Promise<CheckFinding> {
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
}

/** Databases grow by copies of themselves while they are rebuilt or backed up. */
async function checkDisk({ app: { directories, workspace, places } }: CheckContext): Promise<CheckFinding> {
  const all = [...new Set([...Object.values(directories), ...(workspace ? [workspace.home] : [])])];
  const free = await Promise.all(
    all.map(async (directory) => ({ directory, bytes: await places.freeBytes(directory) })),
  );
  const { directory, bytes } = free.reduce((least, each) => (each.bytes < least.bytes ? each : least));
  const shown = `${Math.floor(bytes / MIB)} MiB free at ${directory}`;
  if (bytes >= LEAST_FREE_MIB * MIB) return ok(shown);
  return warning(shown, `Free some space: ken needs about ${LEAST_FREE_MIB} MiB to work without trouble.`);
}

const MIB = 1024 * 1024;
const LEAST_FREE_MIB = 200;

async function checkWorkspace({
  app: { workspace, skippedWorkspaces, configFiles },
}: CheckContext): Promise<CheckFinding> {
  const [nearest] = skippedWorkspaces;
  if (nearest) return warning(`${nearest.path} ${nearest.problem}`, nearest.hint);
  if (!workspace) return ok('none here');
  const ignored = await configFiles.read(path.join(workspace.home, '.gitignore'), workspace.root);
  if (ignored === undefined) {
    return warning(
      `${workspace.root} has no .ken/.gitignore`,
      'Run "ken init" to add it, so that databases are not committed.',
    );
  }
  return ok(workspace.root);
}

/** A topic without a directory is a problem, since nothing can be learned from it. Other findings are warnings. */
async function checkKnowledgeBase({ app }: CheckContext): Promise<CheckFinding> {
  const { checkTopics } = await import('../../domain/knowledge-base/check-topics.ts');
  const { knowledgeBaseFrom } = await import('../../domain/knowledge-base/topic.ts');
  const knowledge = knowledgeBaseFrom(app.config.kb);
  const findings = await checkTopics(app, knowledge);
  const dead = findings.filter(({ kind }) => kind === 'directory');
  if (dead.length > 0) {
    return problem(
      dead.map(({ topic, message }) => `${topic}: ${message}`).join('; '),
      'Create the directory, or correct "subjects" of the topic.',
    );
  }
  if (findings.length > 0)
    return warning(counted(findings.length, 'finding'), 'Run "ken kb check" to see each.');
  return ok(counted(knowledge.topics.filter(({ enabled }) => enabled).length, 'topic'));
}

/** Checks that every component can run and every server can start, without doing either. */
async function checkTools(context: CheckContext, signal: AbortSignal): Promise<CheckFinding> {
  const { toolSettings } = await import('../../domain/tools/tool-settings.ts');
  const settings = toolSettings(context.app.config.conversation.tools).filter(({ isEnabled }) => isEnabled);
  for (const tool of settings) {
    const finding = await toolProblem(context, tool, signal);
    if (finding) return finding;
  }
  return ok(`${settings.length} configured`);
}

async function toolProblem(
  context: CheckContext,
  { name, source }: ToolSettings,
  signal: AbortSignal,
): Promise<CheckFinding | undefined> {
  const { app } = context;
  try {
    if (source.kind === 'wasm') {
      const { componentToCheck } = await import('../../domain/tools/components/component-source.ts');
      const component = componentToCheck(app.workspace?.root ?? '', name, source.wasm.file);
      await app.components.check(component, signal);
    }
    if (source.kind === 'mcp') await checkServer(context, source.server, signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const fault = new Fault(error.code, `"${name}": ${error.message}`, { hint: error.hint });
    return fromFault(fault, 'Build it again.');
  }
}

async function checkServer(
  { app, environment }: CheckContext,
  server: string,
  signal: AbortSignal,
): Promise<void> {
  const { serverNamed } = await import('../../domain/tools/server-settings.ts');
  const { place } = serverNamed(app.config.providers.mcp, server, environment);
  if (place.kind !== 'process') return;
  const [program] = place.command;
  const { exitCode } = await app.processes.run(
    {
      command: ['command -v "$1"', program],
      shell: true,
      directory: app.workspace?.root ?? '/',
      environment: { ...app.toolEnvironment, ...place.environment },
      limits: PROGRAM_LIMITS,
    },
    signal,
  );
  if (exitCode === 0) return;
  throw new Fault('process/not-found', `the server "${server}" needs ${program}, which is not installed.`, {
    hint: 'Install it, or check the PATH.',
  });
}

/** Finds what a question would run into; asks the provider which models it has only with `--network`. */
async function checkModel({ app, usesNetwork }: CheckContext, signal: AbortSignal): Promise<CheckFinding> {
  const { model } = app.config.assistant;
  await app.models.open(model);
  if (!usesNetwork) return ok(model);
  const [provider = ''] = model.split('/');
  const answer = (await app.models.survey(signal)).find((each) => each.provider === provider);
  if (!answer || answer.state === 'ready') return ok(model);
  return problem(`${provider}: ${answer.remark}`, 'Check its address, its key and the network.');
}

/** The builtin embedder is loaded. Others are asked who they are, which reaches them. */
async function checkEmbedder({ app, usesNetwork }: CheckContext): Promise<CheckFinding> {
  const name = app.config.search.embedder;
  const isOutside = /^(?:ollama|openai|transformers)\/./.test(name);
  if (isOutside && !usesNetwork) return ok(`${name}; "ken doctor --network" reaches it`);
  const { dimension } = await app.embedder.identity();
  return ok(`${name}, ${dimension} dimensions`);
}

/** No compiler is not even a warning: only tools written in C need one. */
/** Says what this system cannot keep a tool from that has broken out of WebAssembly. */
async function checkSandbox({ app }: CheckContext): Promise<CheckFinding> {
  const { hasNamespaces, hasLimits, endsWithKen } = await app.components.walls();
  const open = [
    ...(hasNamespaces || hasLimits ? [] : ['use the network']),
    ...(hasNamespaces ? [] : ['send signals to your other programs']),
    ...(endsWithKen ? [] : ['go on when ken is killed']),
  ];
  if (open.length === 0) return ok('tools have processes of their own, without files, network or signals');
  return warning(
    `a tool that breaks out of WebAssembly could ${open.join(' and ')}`,
    'On Linux, install util-linux and allow user namespaces; elsewhere, use only tools that you trust.',
  );
}

async function checkCCompiler({ app }: CheckContext): Promise<CheckFinding> {
  const compiler = await app.toolAuthor.findCCompiler();
  return ok(compiler ?? 'no clang that finds wasi-libc, which only tools in C need');
}

/** Fails if the database cannot be read. */
async function checkLedger({ app: { ledger, clock } }: CheckContext): Promise<CheckFinding> {
  const { active = 0, expired = 0 } = (await ledger?.count(secondsOf(clock.now()))) ?? {};
  if (expired === 0) return ok(counted(active, 'active entry', 'active entries'));
  return warning(
    counted(expired, 'active entry has expired', 'active entries have expired'),
    'Mark them with "ken knowledge decay".',
  );
}

/** Reads every topic.md and no other file; "ken ref doctor" reads the rest. */
async function checkReferenceLibrary({ app }: CheckContext): Promise<CheckFinding> {
  const { isGood } = await import('../../domain/references/topic/library.ts');
  const { topicId } = await import('../../domain/references/topic/topic.ts');
  const kept = await app.library.list();
  const [broken, ...more] = kept.filter((each) => !isGood(each));
  if (broken) {
    const others = more.length > 0 ? `, and ${more.length} more` : '';
    return problem(`${topicId(broken)} is broken${others}`, 'See "ken ref doctor".');
  }
  const topics = counted(kept.length, 'topic');
  if (await app.referenceIndex.isCurrent()) return ok(topics);
  return warning(`${topics}, and the index is behind`, 'The next search brings it up to date.');
}

/** Reports the worst finding. What is harmless or repairs itself is a warning. */
async function checkConversations(
  { app: { conversations } }: CheckContext,
  signal: AbortSignal,
): Promise<CheckFinding> {
  if (!conversations) return ok('none here');
  const troubles = await conversations.troubles(signal);
  for (const kind of ['metadata', 'log', 'torn', 'leftover'] as const) {
    const found = troubles.filter((trouble) => trouble.kind === kind);
    if (found.length === 0) continue;
    const finding = kind === 'metadata' || kind === 'log' ? problem : warning;
    return finding(troubleText(found, troubles.length - found.length), TROUBLE_HINTS[kind]);
  }
  const { length } = await conversations.ids();
  return ok(counted(length, 'conversation'));
}

const TROUBLES_SHOWN = 3;

const TROUBLE_HINTS: Record<ConversationTrouble['kind'], string> = {
  metadata: 'Run "ken doctor --repair"; until then the conversation is in no list.',
  log: 'Run "ken doctor --repair" to set the lines aside; everything else in the log can be read.',
  torn: 'Nothing is lost before it; the next writer moves it to a file of its own.',
  leftover: 'The next new conversation removes it, and so does "ken doctor --repair".',
};

function troubleText(found: readonly ConversationTrouble[], others: number): string {
  const shown = found.slice(0, TROUBLES_SHOWN).map((trouble) => `${trouble.path} ${trouble.detail}`);
  const more = found.length - shown.length + others;
  return [...shown, ...(more > 0 ? [`and ${more} more of this and other kinds`] : [])].join('; ');
}

/** Names what `--repair` would mend, but for the logs of conversations, which have a check of their own. */
async function checkRepairs({ app }: CheckContext, signal: AbortSignal): Promise<CheckFinding> {
  const found = await app.repairs.find('quick', signal);
  const [first] = found;
  if (!first) return ok('nothing to mend');
  const worst = found.find(({ isDamage }) => isDamage) ?? first;
  const more = found.length > 1 ? `, and ${found.length - 1} more` : '';
  const finding = worst.isDamage ? problem : warning;
  return finding(`${worst.path} ${worst.problem}${more}`, 'See and mend it with "ken doctor --repair".');
}

async function checkTrust({ app: { settings } }: CheckContext): Promise<CheckFinding> {
  switch (settings.trust) {
    case 'nothing':
      return ok('nothing here needs it');
    case 'trusted':
      return ok('what this workspace defines is as you saw it');
    case 'untrusted':
      return warning(
        'this workspace defines tools, servers or commands that are left out',
        'Look at them with "ken trust --show", and run "ken trust" if you want them.',
      );
    case 'changed':
      return warning(
        'this workspace has changed since you trusted it, so its definitions are left out',
        'See what changed with "ken trust --show", and decide with "ken trust".',
      );
  }
}

async function checkLock({ app }: CheckContext): Promise<CheckFinding> {
  return (await import('./setup/clients.ts')).checkLock(app);
}

/** Fails if the database cannot be read. */
async function checkApprovals({ app: { approvals, clock } }: CheckContext): Promise<CheckFinding> {
  const waiting = await approvals.list({ statuses: ['pending'] }, clock.now());
  if (waiting.length === 0) return ok('nothing waits for you');
  return warning(
    `${counted(waiting.length, 'request waits', 'requests wait')} for you`,
    'See them with "ken approvals ls".',
  );
}
