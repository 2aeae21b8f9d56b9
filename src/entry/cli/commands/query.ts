import type { ConversationPorts, WorkspaceApp } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import type { Json } from '../../../base/json.ts';
import {
  conversationDelta,
  conversationLayers,
  conversationSnapshot,
} from '../../../config/conversation-config.ts';
import { type Layer, resolveConfig } from '../../../config/resolve.ts';
import type { Config } from '../../../config/schema.ts';
import type { Conversation } from '../../../domain/conversations/conversation.ts';
import { activeConversation, findConversation } from '../../../domain/conversations/find-conversation.ts';
import { parseLabelDirective } from '../../../domain/labels/label-directive.ts';
import { ask, type ExistingPlace, type NewPlace } from '../../../domain/turns/ask.ts';
import type { TurnEnd, TurnEvent } from '../../../domain/turns/turn-event.ts';
import type { Command, ExitCode, Invocation } from '../command.ts';
import type { Options } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { resolveLabelsFor } from './conversation/resolve-for.ts';
import { flagLayers } from './query/flag-layers.ts';
import { readQuestion } from './query/read-question.ts';
import { renderTurn } from './query/render-turn.ts';

export const query: Command = {
  name: 'query',
  aliases: ['q'],
  summary: 'ask the assistant',
  description:
    'Goes on with the conversation of this terminal, or starts one. Standard input joins the text. Exit 4 when an ' +
    'approval is waiting, 1 when the answer is not whole.',
  examples: [
    'q "How do we deploy?"',
    'q -n -k \'project/maintainers/*\' "Who reviews this?" < diff.patch',
    'q --id @prev "And the other one?"',
  ],
  arguments: [{ name: 'text', summary: 'the question; - reads standard input', variadic: true }],
  options: [
    { flags: '-n, --new', summary: 'start a new conversation' },
    { flags: '--id <id>', summary: 'go on with this one', complete: 'conversations' },
    {
      flags: '-k, --knowledge <topic/glob>',
      summary: 'preload subjects',
      repeatable: true,
      complete: 'topic-subjects',
    },
    {
      flags: '--label <label>',
      summary: 'set k=v, k, :alias, or remove k-',
      repeatable: true,
      complete: 'labels',
    },
    { flags: '-m, --model <model>', summary: 'ask this model from now on' },
    { flags: '--once', summary: '--model, --knowledge and --cfg hold for this question only' },
    { flags: '--local', summary: 'keep a new conversation out of the workspace' },
    { flags: '--title <title>', summary: 'name the conversation' },
    { flags: '--no-stream', summary: 'print the answer when it is whole' },
  ],

  async run(invocation) {
    const { options, terminal, signal } = invocation;
    if (options.has('new') && options.has('id')) throw new Fault('cli/usage', 'Say either --new or --id.');
    const text = await readQuestion(invocation.arguments);
    const { app, conversation } = await openFor(invocation);
    if (text === '' && !conversation) throw noQuestion();
    const { prepareTurn } = await import('./query/prepare-turn.ts');
    const { ports, system } = await prepareTurn(app, signal);
    const input = {
      in: await placeOf(invocation, app, conversation),
      message: text === '' ? undefined : { text },
      configChanges: await configChanges(app, conversation, options),
      title: options.text('title'),
      system,
      maxSteps: app.config.assistant.turn_limit,
      maxOutputTokens: app.config.assistant.request.max_output_tokens,
    };
    const events = activating(app, ask({ ...app, ...ports }, input, signal));
    const rendered = { waits: options.has('no-stream'), markdown: app.config.style.markdown };
    return exitCode(terminal, await renderTurn(terminal, events, rendered));
  },
};

function noQuestion(): Fault {
  return new Fault('cli/usage', 'There is no question.', { hint: 'Try: ken q "How do we deploy?"' });
}

/** Opens the app with the settings of the conversation that goes on, if one does. */
async function openFor({ options, open }: Invocation) {
  let conversation: Conversation | undefined;
  const app = await open({
    flags: flagLayers(options),
    conversation: async (ports) => {
      conversation = await chosen(ports, options);
      return conversation ? layersOf(ports, conversation) : [];
    },
  });
  return { app, conversation };
}

async function chosen(ports: ConversationPorts, options: Options): Promise<Conversation | undefined> {
  if (options.has('new')) return undefined;
  const named = options.text('id');
  if (named !== undefined) return findConversation(ports, named);
  const active = await activeConversation(ports);
  return active && ports.conversations.get(active);
}

async function layersOf({ conversations }: ConversationPorts, { id }: Conversation): Promise<Layer[]> {
  const [base, log] = await Promise.all([conversations.baseConfig(id), conversations.log(id)]);
  const deltas = (log?.events ?? []).flatMap((event) =>
    event.type === 'config_delta' ? [event.changes] : [],
  );
  return conversationLayers(id, base, deltas);
}

async function placeOf(
  invocation: Invocation,
  app: WorkspaceApp,
  conversation: Conversation | undefined,
): Promise<NewPlace | ExistingPlace> {
  const { options, terminal, signal } = invocation;
  const labels = await resolveLabelsFor(invocation, app, {
    event: conversation ? 'existing' : 'new',
    before: conversation?.metadata.labels ?? new Map(),
    directives: options.texts('label').map(parseLabelDirective),
  });
  if (conversation) {
    return { kind: 'existing', conversation, labels, wait: terminal.isInteractive ? signal : undefined };
  }
  const isLocal = options.has('local') || app.config.conversation.start_local;
  const config = options.has('once') ? await standingConfig(app) : app.config;
  const start = {
    isLocal,
    metadata: { labels },
    baseConfig: conversationSnapshot(config),
    events: [],
  };
  return { kind: 'new', start };
}

/** What `--cfg` and the flags of this call change for the conversation, unless they hold only once. */
async function configChanges(
  app: WorkspaceApp,
  conversation: Conversation | undefined,
  options: Options,
): Promise<readonly Json[]> {
  if (!conversation || options.has('once')) return [];
  return conversationDelta(await standingConfig(app), app.config) as readonly Json[];
}

/** The configuration without what this call alone says. */
async function standingConfig({ settings }: WorkspaceApp): Promise<Config> {
  const layers = settings.layers.slice(0, settings.standingLayers);
  return (await resolveConfig(layers, async () => settings.isTrusted)).config;
}

/** The conversation becomes this terminal's as soon as it is there. */
async function* activating(app: WorkspaceApp, events: AsyncIterable<TurnEvent>): AsyncGenerator<TurnEvent> {
  for await (const event of events) {
    if (event.type === 'turn-start') await app.activeConversations.activate(event.conversation);
    yield event;
  }
}

function exitCode(terminal: Terminal, { reason, pending }: TurnEnd): ExitCode {
  if (pending.length > 0) {
    terminal.note(`Waiting for approval: ${pending.join(', ')}. Run "ken approvals show ${pending[0]}".`);
    return 4;
  }
  if (reason === 'answered' || reason === 'stopped') return 0;
  terminal.warn(NOT_WHOLE[reason]);
  return 1;
}

const NOT_WHOLE: Record<Exclude<TurnEnd['reason'], 'answered' | 'stopped'>, string> = {
  truncated: 'the answer broke off; what came is kept. "ken q --id @last" asks again.',
  length: 'the answer reached the longest length the model allows.',
  refused: 'the model refused to go on.',
  limit: 'the turn took more steps than assistant.turn_limit allows.',
};
