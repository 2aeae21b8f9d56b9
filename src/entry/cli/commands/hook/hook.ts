import path from 'node:path';
import { type App, isInWorkspace, type OpenRequest, type WorkspaceApp } from '../../../../app.ts';
import { type Json, memberOf } from '../../../../base/json.ts';
import { isoTime } from '../../../../base/time.ts';
import { projectDirectory } from '../../../project-directory.ts';
import { command, type Invocation } from '../../command.ts';

export const hook = command({
  name: 'hook',
  summary: 'answer a hook of Claude Code or Codex',
  description:
    'Reads what the client writes to a hook on standard input, and prints what its model should know: at the start of ' +
    'a conversation and after a compaction the rules that you approved, how many requests wait for you, and your own ' +
    'topics. Titles and texts that came with a repository are left out. Before a compaction and after an answer, it ' +
    'imports the transcript if hooks.import is true. It always exits with 0 and writes errors to hooks.log in the ' +
    'state directory. "ken setup --hooks" installs it.',
  examples: ['hook session-start', 'hook stop < event.json'],
  arguments: [
    {
      name: 'event',
      summary: 'session-start, user-prompt, pre-compact, post-compact or stop',
      required: true,
    },
  ],

  // A client takes any other exit code as a veto, or shows the error to its user.
  async run(invocation) {
    const [event = ''] = invocation.arguments;
    try {
      const answer = await answerTo(event, invocation);
      if (answer !== undefined) invocation.terminal.print(JSON.stringify(answer));
    } catch (error) {
      await log(invocation, event, error).catch(() => {});
    }
  },
});

interface Answer {
  readonly hookSpecificOutput: { readonly hookEventName: string; readonly additionalContext: string };
}

async function answerTo(event: string, invocation: Invocation): Promise<Answer | undefined> {
  switch (event) {
    // Both clients start anew after a compaction. Input is left unread: to read it takes a third of the time.
    case 'session-start':
    case 'post-compact':
      return context('SessionStart', await inWorkspace(invocation, startText));
    case 'user-prompt':
      await readInput(invocation);
      return context('UserPromptSubmit', await inWorkspace(invocation, waitingText));
    case 'pre-compact':
    case 'stop': {
      const input = await readInput(invocation);
      await inWorkspace(invocation, (app) => importTranscript(invocation, app, input));
      return undefined;
    }
    default:
      throw new Error(`There is no hook "${event}".`);
  }
}

function context(hookEventName: string, additionalContext: string | undefined): Answer | undefined {
  return additionalContext ? { hookSpecificOutput: { hookEventName, additionalContext } } : undefined;
}

async function readInput({ terminal }: Invocation): Promise<Json> {
  const input = await terminal.readInput();
  return input === undefined || input.length === 0 ? {} : JSON.parse(new TextDecoder().decode(input));
}

/** Opens without a word on standard error. Outside of a workspace the personal one serves, if there is one. */
async function inWorkspace<Result>(
  { opening, environment }: Invocation,
  use: (app: WorkspaceApp) => Promise<Result>,
): Promise<Result | undefined> {
  const { openApp, request } = opening;
  const quiet: OpenRequest = {
    ...request,
    directory: projectDirectory(environment, request.directory),
    warn() {},
  };
  const app = await openApp(quiet);
  try {
    if (isInWorkspace(app)) return await use(app);
    if (app.skippedWorkspaces.length > 0) return undefined;
    const personal = await openApp({ ...quiet, workspace: path.join(app.directories.data, 'personal') });
    try {
      return isInWorkspace(personal) ? await use(personal) : undefined;
    } finally {
      await personal.close();
    }
  } finally {
    await app.close();
  }
}

async function startText(app: WorkspaceApp): Promise<string> {
  const { hookText } = await import('../../../../domain/turns/assistant-brief.ts');
  const { approvedRules } = await import('../../../../domain/turns/rules-section.ts');
  const { topicMenuLine } = await import('../../../../domain/knowledge-base/knowledge-section.ts');
  const { offeredKnowledge } = await import('../../../../domain/knowledge-base/topic.ts');
  const topics = offeredKnowledge(app).topics.filter(({ enabled }) => enabled);
  const isOwn = ownTopics(app);
  const own = topics.filter(({ id }) => isOwn(id));
  return hookText({
    rules: await approvedRules(app),
    waiting: await waitingCount(app),
    menu: own.map(topicMenuLine),
    otherTopics: topics.length - own.length,
  });
}

/** Whether a topic is defined in the operator's own configuration, and a repository says nothing about it. */
function ownTopics({ settings }: WorkspaceApp): (id: string) => boolean {
  const ids = { own: new Set<string>(), others: new Set<string>() };
  for (const { standing, changes } of settings.layers) {
    const named = standing === 'user' || standing === 'operator' ? ids.own : ids.others;
    for (const change of changes)
      for (const id of topicIds(change.path, 'value' in change ? change.value : null)) named.add(id);
  }
  return (id) => ids.own.has(id) && !ids.others.has(id);
}

function topicIds([first, second, third]: readonly string[], value: Json): readonly string[] {
  if (first === 'kb' && second === 'topic' && third !== undefined) return [third];
  if (first !== undefined && first !== 'kb') return [];
  const kb = first === undefined ? memberOf(value, 'kb') : second === undefined ? value : { [second]: value };
  const topics = memberOf(kb, 'topic');
  return typeof topics === 'object' && topics !== null ? Object.keys(topics) : [];
}

async function waitingText(app: WorkspaceApp): Promise<string | undefined> {
  const { waitingLine } = await import('../../../../domain/turns/assistant-brief.ts');
  return waitingLine(await waitingCount(app));
}

async function waitingCount({ approvals, workspace, clock }: WorkspaceApp): Promise<number> {
  const pending = await approvals.list({ statuses: ['pending'], workspace: workspace.root }, clock.now());
  return pending.length;
}

async function importTranscript(invocation: Invocation, app: WorkspaceApp, input: Json): Promise<void> {
  if (!app.config.hooks.import) return;
  const file = memberOf(input, 'transcript_path');
  if (typeof file !== 'string') throw new Error('The client names no transcript.');
  const { ownTranscript } = await import('./own-transcript.ts');
  const { importFile } = await import('../conversation/import.ts');
  const options = { isLocal: app.config.conversation.start_local, directives: [] };
  await importFile(
    { ...invocation, terminal: { ...invocation.terminal, warn() {} } },
    app,
    await ownTranscript(file, invocation.environment),
    options,
  );
}

const LOG_CHARACTERS = 64 * 1024;

/** Keeps the newest lines. The configuration may be what is broken, so nothing of it is read. */
async function log({ opening }: Invocation, event: string, error: unknown): Promise<void> {
  const { openApp, request } = opening;
  const app: App = await openApp({
    ...request,
    directory: '/',
    workspace: undefined,
    ignoresConfig: true,
    toleratesTrouble: true,
    warn() {},
  });
  try {
    const file = path.join(app.directories.state, 'hooks.log');
    const said = error instanceof Error ? error.message : String(error);
    const line = `${isoTime(app.clock.now())} ${event} ${JSON.stringify(said).slice(0, 1000)}\n`;
    const before = (await app.configFiles.read(file)) ?? '';
    await app.configFiles.replace(file, `${before}${line}`.slice(-LOG_CHARACTERS), 'user', 0o600);
  } finally {
    await app.close();
  }
}
