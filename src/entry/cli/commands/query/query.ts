import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { givenTitle } from '../../../../domain/conversations/conversation.ts';
import { gatherDecisions } from '../../../../domain/conversations/gather-decisions.ts';
import { parseLabelDirective } from '../../../../domain/labels/label-directive.ts';
import { ask } from '../../../../domain/turns/ask.ts';
import type { ModelMessage, ModelRequest } from '../../../../domain/turns/model/model.ts';
import { requestTokens } from '../../../../domain/turns/model/model-files.ts';
import { prepareTurn } from '../../../../domain/turns/prepare-turn.ts';
import { previewRequest } from '../../../../domain/turns/run-turn.ts';
import type { TurnEnd, TurnEvent } from '../../../../domain/turns/turn-event.ts';
import { turnPorts } from '../../../turn-ports.ts';
import { command, type ExitCode } from '../../command.ts';
import { LABEL } from '../../options.ts';
import type { Terminal } from '../../terminal.ts';
import { hidingProgressWhileAsking, indexProgress } from '../../terminal.ts';
import { activateIfPossible } from '../conversation/activate-if-possible.ts';
import { type ChosenConversation, chooseConversation, choosePlace, configChanges } from './choose-place.ts';
import { readMessage } from './read-message.ts';
import { renderTurn } from './render-turn.ts';

export const query = command({
  name: 'query',
  aliases: ['q'],
  summary: 'ask the assistant',
  description:
    'Continues the conversation of this terminal, or starts one. Standard input is added to the text. Without a text, an ' +
    'interrupted turn continues. Exit 4 when an approval is waiting, 1 when the answer is not complete.',
  examples: [
    'q "How do we deploy?"',
    'q -n -k \'project/maintainers/*\' "Who reviews this?" < diff.patch',
    'q --id @prev -a src/main.ts "What does this do?"',
  ],
  arguments: [{ name: 'text', summary: 'the question; - for standard input', variadic: true }],
  options: [
    { flags: '-n, --new', summary: 'start a new conversation' },
    { flags: '--id <id>', summary: 'continue this conversation', complete: 'conversations' },
    { flags: '--fork', summary: 'ask in a copy of the conversation' },
    {
      flags: '-k, --knowledge <topic/glob>',
      summary: 'subjects to preload',
      repeatable: true,
      complete: 'topic-subjects',
    },
    {
      flags: '-a, --attach <source>',
      summary: 'attach files, directories, globs, http(s): pages, cmd: commands',
      repeatable: true,
      complete: 'files',
    },
    LABEL,
    { flags: '-m, --model <model>', summary: 'use this model from now on' },
    { flags: '--once', summary: '--model, --knowledge and --cfg apply to this question only' },
    { flags: '--tool <name>', summary: 'only these tools, for this question', repeatable: true },
    { flags: '--no-tool <name>', summary: 'without these tools, for this question', repeatable: true },
    { flags: '--schema <file>', summary: 'answer with JSON that fits this JSON Schema', complete: 'files' },
    { flags: '--local', summary: 'store a new conversation outside the workspace' },
    { flags: '--title <title>', summary: 'the title of the conversation' },
    { flags: '--no-stream', summary: 'print the answer when it is complete' },
    { flags: '--dry-run', summary: 'print what would be sent, without sending it' },
  ],

  async run(invocation) {
    const { options, terminal, signal } = invocation;
    for (const other of ['id', 'fork'] as const)
      if (options.has('new') && options.has(other))
        throw new Fault('cli/usage', `--new and --${other} exclude each other.`);
    // A wrong one is an error before anything else, also with --dry-run.
    for (const label of options.texts('label')) parseLabelDirective(label);
    const chosen = await chooseConversation(invocation);
    const { app } = chosen;
    const { recordDecision, events: earlier } = gatherDecisions(app.clock);
    const message = await readMessage(invocation, app, recordDecision);
    if (!message && !(await canGoOn(chosen)))
      throw new Fault('cli/usage', 'There is no question.', { hint: 'Try: ken q "How do we deploy?"' });
    const indexing = indexProgress(terminal, app.clock, signal);
    const asking = hidingProgressWhileAsking(terminal, turnPorts(app, indexing.onItems));
    const choice = { only: options.texts('tool'), without: options.texts('no-tool') };
    const status = await terminal.status(app.clock, signal);
    status.say('preparing the question');
    const turn = await prepareTurn(asking, { tools: choice, recordDecision }, signal).finally(status.end);
    for (const { name, fault } of turn.leftOut)
      terminal.warn([`Without the tool ${name}: ${fault.message}`, fault.hint].filter(Boolean).join('\n'));
    const { model, tools, retryPolicy, confirmation } = turn;
    if (options.has('dry-run')) {
      const history = await historyOf(chosen);
      showRequest(terminal, model, previewRequest(tools, { ...turn, message, history }));
      return 0;
    }
    const place = await choosePlace(invocation, chosen);
    const input = {
      ...turn,
      message,
      in: place.in,
      decisions: [...earlier, ...place.decisions],
      configChanges: await configChanges(chosen, options),
      title: givenTitle(options.text('title')),
    };
    const ports = { ...app, tools, retryPolicy, confirmation, model: await app.models.open(model) };
    const events = activating(app, terminal, ask(ports, input, signal));
    const rendered = {
      waits: options.has('no-stream') || message?.schema !== undefined,
      model,
      clock: app.clock,
      signal,
    };
    return exitCode(terminal, await renderTurn(terminal, events, rendered));
  },
});

async function historyOf({ app, conversation }: ChosenConversation) {
  return (conversation && (await app.conversations.log(conversation.id))?.events) ?? [];
}

/** Prints for `--dry-run` exactly what would be sent, and its size in tokens. */
function showRequest(terminal: Terminal, model: string, request: ModelRequest): void {
  const tokens = requestTokens(request);
  if (terminal.json) {
    terminal.printJson({ model, request, estimated_tokens: tokens });
    return;
  }
  terminal.print(`# ${model}, about ${tokens} tokens\n\n## System\n\n${request.system}`);
  terminal.print(`\n## Tools\n`);
  for (const { name, description, parameters } of request.tools) {
    terminal.print(`### ${name}\n\n${description}\n\n${JSON.stringify(parameters)}\n`);
  }
  terminal.print('## Messages');
  for (const message of request.messages) terminal.print(`\n### ${message.role}\n\n${messageText(message)}`);
}

function messageText(message: ModelMessage): string {
  if (message.role === 'user') return message.text;
  if (message.role === 'tool')
    return message.results.map(({ name, text }) => `${name}: ${text}`).join('\n\n');
  return message.parts
    .map((part) => (part.type === 'tool-call' ? `${part.name} ${JSON.stringify(part.arguments)}` : part.text))
    .join('\n\n');
}

/** True if the last turn did not end with a whole answer. */
async function canGoOn(chosen: ChosenConversation): Promise<boolean> {
  const last = (await historyOf(chosen)).findLast(({ type }) =>
    ['user_message', 'assistant_message', 'tool_call', 'tool_result'].includes(type),
  );
  return last !== undefined && !(last.type === 'assistant_message' && last.finish === 'stop');
}

/** Makes the conversation the terminal's active one as soon as it exists. */
async function* activating(
  app: WorkspaceApp,
  terminal: Terminal,
  events: AsyncIterable<TurnEvent>,
): AsyncGenerator<TurnEvent> {
  for await (const event of events) {
    if (event.type === 'turn-start') await activateIfPossible(app, terminal, event.conversation);
    yield event;
  }
}

function exitCode(terminal: Terminal, { reason, pending, misfit }: TurnEnd): ExitCode {
  if (pending.length > 0) {
    terminal.note(`Waiting for approval: ${pending.join(', ')}. Run "ken approvals show ${pending[0]}".`);
    return 4;
  }
  if (reason !== 'answered' && reason !== 'stopped') {
    terminal.warn(NOT_WHOLE[reason]);
    return 1;
  }
  if (misfit === undefined) return 0;
  terminal.error(new Fault('models/misfit', `The answer does not fit the schema: ${misfit}.`));
  return 1;
}

const NOT_WHOLE: Record<Exclude<TurnEnd['reason'], 'answered' | 'stopped'>, string> = {
  truncated: 'the answer broke off; its text is kept. "ken q --id @last" asks again.',
  length: 'the answer reached the longest length the model allows.',
  refused: 'the model refused to continue.',
  limit: 'the turn took more steps than assistant.turn_limit allows.',
};
