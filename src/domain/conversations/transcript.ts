import { memberOf } from '../../base/json.ts';
import { givenTitle } from './conversation.ts';
import type { ConversationEvent } from './event.ts';
import { fenced } from './event-text.ts';

export interface TranscriptOptions {
  readonly title: string | undefined;
  /** Includes the arguments and results of tools. */
  readonly tools: boolean;
  readonly reasoning: boolean;
}

export function transcript(events: readonly ConversationEvent[], options: TranscriptOptions): string {
  return [...transcriptPieces(events, options)].join('');
}

/** For a conversation that is longer than a text can be. */
export function* transcriptPieces(
  events: Iterable<ConversationEvent>,
  options: TranscriptOptions,
): Generator<string> {
  yield `# ${givenTitle(options.title) ?? 'Conversation'}`;
  for (const event of events) {
    const text = block(event, options);
    if (text !== undefined) yield `\n\n${text}`;
  }
}

function block(event: ConversationEvent, options: TranscriptOptions): string | undefined {
  switch (event.type) {
    case 'turn_start':
      return `## Turn ${event.turn}`;
    case 'user_message':
      return [
        '**You**',
        ...(event.attachments ?? []).map(({ source }) => `Attached: \`${source}\``),
        typedCommand(event.text) ?? event.text,
      ].join('\n\n');
    case 'assistant_message':
      return assistantBlock(event);
    case 'reasoning':
      return options.reasoning && event.text !== '' ? quoted(event.text) : undefined;
    case 'tool_call':
      return options.tools
        ? `Called \`${event.name}\`:\n\n${fenced(JSON.stringify(event.arguments, null, 2), 'json')}`
        : undefined;
    case 'approval':
      return options.tools ? `_${APPROVALS[event.decision]}: ${event.summary}_` : undefined;
    case 'tool_result':
      return options.tools ? toolResult(event) : undefined;
    case 'remark':
      return event.kind === 'compaction'
        ? `_Turns ${event.turns?.from}–${event.turns?.to} in short:_\n\n${event.text}`
        : undefined;
    case 'foreign':
      return memberOf(event.content.original, 'type') === 'image' ? '_An image, not shown here._' : undefined;
    default:
      return undefined;
  }
}

/** Claude Code writes a command that a person types, such as `/review src/a.ts`, as a text of tags. */
function typedCommand(text: string): string | undefined {
  const name = /<command-name>(\/[^<\s]+)<\/command-name>/.exec(text)?.[1];
  if (name === undefined || !ONLY_COMMAND_TAGS.test(text)) return undefined;
  const given = /<command-args>([^<]*)<\/command-args>/.exec(text)?.[1]?.trim();
  return `\`${given ? `${name} ${given}` : name}\``;
}

const ONLY_COMMAND_TAGS = /^\s*(?:<command-(name|message|args)>[^<]*<\/command-\1>\s*)+$/;

const APPROVALS = { pending: 'Waiting for approval', approved: 'Approved', denied: 'Denied' } as const;

function assistantBlock({
  text,
  model,
  finish,
}: Extract<ConversationEvent, { type: 'assistant_message' }>): string | undefined {
  const isWhole = finish === 'stop' || finish === 'tool-calls';
  if (text === '' && isWhole) return undefined;
  return [
    `**Assistant** (${model})`,
    text,
    ...(isWhole ? [] : [`_This answer is not whole: ${finish}._`]),
  ].join('\n\n');
}

function toolResult({ name, outcome }: Extract<ConversationEvent, { type: 'tool_result' }>): string {
  if (outcome.type === 'success') return `\`${name}\` answered:\n\n${fenced(outcome.text)}`;
  const text = outcome.type === 'error' ? outcome.message : outcome.question.text;
  return `\`${name}\` ${outcome.type === 'error' ? 'failed' : 'asked'}:\n\n${fenced(text)}`;
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
