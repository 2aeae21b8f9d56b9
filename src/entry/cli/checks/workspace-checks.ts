/** Checks of the configuration and of what it names: topics, the model and the embedder. */

import path from 'node:path';
import { counted } from '../../../base/text.ts';
import { type CheckContext, type CheckFinding, fromFault, ok, problem, warning } from './check.ts';

export async function checkConfig({ app, configFault }: CheckContext): Promise<CheckFinding> {
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

export async function checkWorkspace({ app }: CheckContext): Promise<CheckFinding> {
  const { workspace, skippedWorkspaces, configFiles } = app;
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
  const listed = app.config.conversation.share ? [] : ((await app.history?.tracked(CONVERSATIONS)) ?? []);
  const tracked = listed.filter((file) => file.startsWith(`${CONVERSATIONS}/`));
  if (tracked.length > 0) {
    return warning(
      `git tracks ${counted(tracked.length, 'file')} of conversations, which the next commit shares`,
      `Run "git rm -r --cached ${CONVERSATIONS}" in ${workspace.root}, or set conversation.share to true.`,
    );
  }
  return ok(workspace.root);
}

const CONVERSATIONS = '.ken/conversations';

/** A topic without a directory is a problem, since nothing can be learned from it. Other findings are warnings. */
export async function checkKnowledgeBase({ app }: CheckContext): Promise<CheckFinding> {
  const { checkTopics } = await import('../../../domain/knowledge-base/check-topics.ts');
  const { knowledgeBaseFrom } = await import('../../../domain/knowledge-base/topic.ts');
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

/** Finds what a question would run into; asks the provider which models it has only with `--network`. */
export async function checkModel(
  { app, usesNetwork }: CheckContext,
  signal: AbortSignal,
): Promise<CheckFinding> {
  const { model } = app.config.assistant;
  await app.models.open(model);
  if (!usesNetwork) return ok(model);
  const [provider = ''] = model.split('/');
  const answer = (await app.models.survey(signal)).find((each) => each.provider === provider);
  if (!answer || answer.state === 'ready') return ok(model);
  return problem(`${provider}: ${answer.remark}`, 'Check its address, its key and the network.');
}

/** The builtin embedder is loaded. Others are asked who they are, which reaches them. */
export async function checkEmbedder({ app, usesNetwork }: CheckContext): Promise<CheckFinding> {
  const name = app.config.search.embedder;
  const isOutside = /^(?:ollama|openai|transformers)\/./.test(name);
  if (isOutside && !usesNetwork) return ok(`${name}; "ken doctor --network" reaches it`);
  const { dimension } = await app.embedder.identity();
  return ok(`${name}, ${dimension} dimensions`);
}

export async function checkTrust({ app: { settings } }: CheckContext): Promise<CheckFinding> {
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
