import type { ConversationPorts, WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { Json } from '../../../../base/json.ts';
import { didYouMean } from '../../../../base/similar.ts';
import type { Change } from '../../../../config/change.ts';
import { type Layer, resolveConfig } from '../../../../config/resolve.ts';
import type { Config } from '../../../../config/schema.ts';
import { isTree, type Tree, valueAt } from '../../../../config/tree.ts';
import type { Conversation } from '../../../../domain/conversations/conversation.ts';
import { forkOf } from '../../../../domain/conversations/create-conversation.ts';
import { activeConversation, findConversation } from '../../../../domain/conversations/find-conversation.ts';
import { parseKnowledgeFlag } from '../../../../domain/knowledge-base/knowledge-flag.ts';
import { parseLabelDirective } from '../../../../domain/labels/label-directive.ts';
import type { AskInput } from '../../../../domain/turns/ask.ts';
import {
  ownLayers,
  resolveLabelsFor,
  settingsToAdd,
  settingsToBegin,
} from '../../../conversation-settings.ts';
import type { Invocation } from '../../command.ts';
import type { Options } from '../../options.ts';
import type { Terminal } from '../../terminal.ts';

export interface ChosenConversation {
  readonly app: WorkspaceApp;
  /** The conversation to continue or fork; undefined for a new one. */
  readonly conversation: Conversation | undefined;
}

type ChoiceName = 'new' | 'id' | 'fork' | 'model' | 'knowledge';

/** Opens the app with the settings of the conversation to continue, if any. */
export async function chooseConversation({
  options,
  terminal,
  open,
}: Invocation<ChoiceName, 'id' | 'model' | 'knowledge'>): Promise<ChosenConversation> {
  let conversation: Conversation | undefined;
  const app = await open({
    makesPersonal: true,
    flags: flagLayers(options),
    conversation: async (ports) => {
      conversation = await chosen(ports, options, terminal);
      return conversation ? ownLayers(ports, conversation) : [];
    },
  });
  return { app, conversation };
}

async function chosen(
  ports: ConversationPorts,
  options: Options<'new' | 'id' | 'fork', 'id'>,
  terminal: Terminal,
): Promise<Conversation | undefined> {
  if (options.has('new')) return undefined;
  const named = options.text('id');
  if (named !== undefined) return findConversation(ports, named);
  const active = await activeConversation(ports);
  if (!active && options.has('fork'))
    throw new Fault('conversations/not-found', 'This terminal has no conversation to fork.', {
      hint: 'Name one with --id: "ken c ls" lists them.',
    });
  const conversation = active && (await ports.conversations.get(active));
  if (active && !conversation)
    terminal.warn(
      `this terminal’s conversation ${active} cannot be read, so a new one begins; see "ken doctor".`,
    );
  if (conversation?.metadata.archivedAt === undefined || options.has('fork')) {
    if (conversation && terminal.isTerminal) terminal.dim(continuing(conversation));
    return conversation;
  }
  // An archived conversation is in no list, so the next question must not go there unseen.
  terminal.note(
    `This terminal’s conversation ${conversation.id} is archived, so a new one begins; --id @active goes on with it.`,
  );
  return undefined;
}

/** Also the first line of `ken chat`. */
export function continuing({ id, metadata: { title } }: Conversation): string {
  return `Continuing ${id}${title ? `: ${title}` : ''}`;
}

/** Labels are resolved before anything is written, so that nothing is left behind if an approval cannot be asked for. */
export async function choosePlace(
  invocation: Invocation<'fork' | 'label' | 'local' | 'once', 'label'>,
  { app, conversation }: ChosenConversation,
): Promise<Pick<AskInput, 'in' | 'decisions'>> {
  const { options, terminal, signal } = invocation;
  const isFork = conversation !== undefined && options.has('fork');
  const { labels, decisions } = await resolveLabelsFor(invocation, app, {
    event: isFork ? 'fork' : conversation ? 'turn' : 'new',
    conversation,
    before: conversation?.metadata.labels ?? new Map(),
    directives: options.texts('label').map(parseLabelDirective),
  });
  if (conversation && isFork) {
    const [baseConfig = {}, log] = await storedParts(app, conversation);
    const start = forkOf({ source: conversation, baseConfig, events: log?.events ?? [], labels });
    return { in: { kind: 'new', start }, decisions };
  }
  if (conversation) {
    const wait = terminal.isInteractive ? signal : undefined;
    return { in: { kind: 'existing', conversation, labels, wait }, decisions };
  }
  const isLocal = options.has('local') || app.config.conversation.start_local;
  const config = options.has('once') ? await standingConfig(app) : app.config;
  const baseConfig = await settingsToBegin(app, config);
  const start = { isLocal, metadata: { labels }, baseConfig, events: [] };
  return { in: { kind: 'new', start }, decisions };
}

function storedParts({ conversations }: WorkspaceApp, { id }: Conversation) {
  return Promise.all([conversations.baseConfig(id), conversations.log(id)]);
}

/** Changes that `--cfg` and the flags of this call make to the conversation; none with `--once`. */
export async function configChanges(
  { app, conversation }: ChosenConversation,
  options: Options<'once', never>,
): Promise<readonly Json[]> {
  if (!conversation || options.has('once')) return [];
  return settingsToAdd(app, await standingConfig(app), app.config);
}

/** Without the flags of this call. */
async function standingConfig({ settings }: WorkspaceApp): Promise<Config> {
  const layers = settings.layers.slice(0, settings.persistentLayers);
  return (await resolveConfig(layers, async () => settings.isTrusted)).config;
}

/** `below` is the configuration without these layers, which knows the topics. */
function flagLayers(options: Options<'model' | 'knowledge'>): (below: Tree) => Layer[] {
  const model = options.text('model');
  const knowledge = options.texts('knowledge').map((text) => ({ text, ...parseKnowledgeFlag(text) }));
  return (below) => [
    ...(model === undefined
      ? []
      : [layer(`--model ${model}`, { op: 'set', path: ['assistant', 'model'], value: model })]),
    ...knowledge.map(({ text, topicId, pattern }) => {
      checkTopic(topicId, below);
      const path = ['kb', 'topic', topicId, 'learned'];
      return layer(`--knowledge ${text}`, { op: 'append', path, value: [pattern] });
    }),
  ];
}

function layer(name: string, change: Change): Layer {
  return { origin: { kind: 'flag', name }, standing: 'operator', changes: [change] };
}

function checkTopic(id: string, below: Tree): void {
  const topics = valueAt(below, ['kb', 'topic']);
  const known = isTree(topics) ? Object.keys(topics) : [];
  if (known.includes(id)) return;
  throw new Fault('kb/unknown-topic', `There is no topic "${id}".`, {
    hint:
      didYouMean(id, known) ??
      (known.length > 0
        ? `Topics: ${known.join(', ')}; those of your personal workspace are not preloaded.`
        : 'No topics are configured.'),
  });
}
