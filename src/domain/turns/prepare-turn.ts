import type { RecordDecision } from '../../base/approvals.ts';
import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import type { ConversationEvent } from '../conversations/event.ts';
import { OFFLINE_MODEL } from '../conversations/event-text.ts';
import { knowledgeSection } from '../knowledge-base/knowledge-section.ts';
import { requireMatches } from '../knowledge-base/preload.ts';
import { referenceSection } from '../references/tools/prompt-section.ts';
import { answerQuestion } from '../tools/answer-question.ts';
import type { LeftOutTool } from '../tools/configured-tools.ts';
import type { ResultPorts } from '../tools/limit-result.ts';
import type { Questioner } from '../tools/questioner.ts';
import type { AskedQuestion } from '../tools/run-tool.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolSettings } from '../tools/tool-settings.ts';
import type { AskInput, AskPorts } from './ask.ts';
import { assistantKnowledge } from './assistant-knowledge.ts';
import { answerFromModel } from './model/answer-from-model.ts';
import type { Timer } from './model/ask-model.ts';
import { requestTokens } from './model/model-files.ts';
import type { Models } from './model/models.ts';
import type { Confirmation } from './run-turn.ts';
import { type PromptSettings, systemPrompt } from './system-prompt.ts';
import {
  type AssistantConfig,
  type AssistantKnowledge,
  type AssistantPorts,
  assistantServerTools,
  assistantTools,
  openKnowledge,
} from './tools/assistant-tools.ts';
import { turnTools } from './tools/turn-tools.ts';

export type PreparePorts = AssistantPorts &
  ResultPorts & {
    readonly models: Pick<Models, 'open'>;
    readonly questioner: Questioner;
    readonly timer: Timer;
    readonly config: TurnConfig;
  };

export interface TurnConfig extends AssistantConfig {
  readonly assistant: AssistantConfig['assistant'] &
    PromptSettings & {
      readonly turn_limit: number;
      readonly confirm_tokens: number;
      readonly request: {
        readonly max_retries: number;
        readonly idle_timeout_s: number;
        readonly max_output_tokens?: number | undefined;
      };
    };
  readonly conversation: AssistantConfig['conversation'] & {
    readonly title: { readonly generate: boolean };
    readonly expose_to_tools: readonly string[];
  };
  readonly references: AssistantPorts['config']['references'] & { readonly prompt_topics: number };
  readonly knowledge: { readonly rules_tokens: number };
}

export interface ToolChoice {
  /** Empty means all. */
  readonly only: readonly string[];
  readonly without: readonly string[];
}

export interface PrepareInput {
  readonly tools: ToolChoice;
  readonly recordDecision: RecordDecision;
}

export interface PreparedTurn
  extends Required<Pick<AskPorts, 'retryPolicy' | 'tools' | 'confirmation'>>,
    Pick<AskInput, 'system' | 'maxOutputTokens' | 'maxSteps' | 'makesTitle'> {
  /** `provider/model` */
  readonly model: string;
  readonly leftOut: readonly LeftOutTool[];
}

export async function prepareTurn(
  ports: PreparePorts,
  input: PrepareInput,
  signal: AbortSignal,
): Promise<PreparedTurn> {
  const { assistant, conversation, references } = ports.config;
  const knowledge = assistantKnowledge(ports, (name) => isChosen(input.tools, name));
  const known = await openKnowledge(ports, knowledge);
  requireMatches(known.preloaded.opened);
  const { tools, settings, leftOut } = await chosenTools(ports, known, input, signal);
  const askAssistant = async (asked: AskedQuestion, asking: AbortSignal) =>
    answerFromModel(await ports.models.open(assistant.model), asked, asking);
  const calling = { ...ports, answerQuestion: answerQuestion({ ...ports, askAssistant }, settings) };
  return {
    model: assistant.model,
    confirmation: confirmation(ports),
    retryPolicy: {
      ...ports.timer,
      maxRetries: assistant.request.max_retries,
      idleMs: assistant.request.idle_timeout_s * 1000,
    },
    tools: turnTools(calling, {
      tools,
      workspace: ports.workspace.root,
      actor: assistant.name,
      exposed: conversation.expose_to_tools,
    }),
    system: systemPrompt(assistant, [
      assistant.model === OFFLINE_MODEL ? undefined : await (await loadRules()).rulesSection(ports),
      knowledgeSection(known.preloaded),
      await referenceSection(ports, references.prompt_topics),
    ]),
    maxOutputTokens: assistant.request.max_output_tokens,
    maxSteps: assistant.turn_limit,
    makesTitle: conversation.title.generate && assistant.model !== OFFLINE_MODEL,
    leftOut,
  };
}

const loadRules = () => import('./rules-section.ts');

/** Asks when the conversation first sends more than `assistant.confirm_tokens`, and at each doubling. */
function confirmation({ config, questioner }: PreparePorts): Confirmation {
  const { model, confirm_tokens: limit } = config.assistant;
  return async (request, events, signal) => {
    if (model === OFFLINE_MODEL) return undefined;
    const tokens = requestTokens(request);
    if (tokens <= limit || doublings(tokens, limit) <= doublings(lastConfirmed(events), limit))
      return undefined;
    const about = `About ${tokens.toLocaleString('en')} tokens would be sent to ${model}, more than assistant.confirm_tokens (${limit.toLocaleString('en')}).`;
    const question = { id: 'confirm-tokens', text: `${about} Send them?`, answerType: 'boolean' } as const;
    if ((await questioner.isThere()) && (await questioner.ask('ken', question, signal)) === true)
      return tokens;
    throw new Fault('models/confirm-tokens', about, {
      hint: 'Send less, or raise the limit with "ken config set --user assistant.confirm_tokens N".',
    });
  };
}

/** -1 while the limit is not passed. */
function doublings(tokens: number, limit: number): number {
  return tokens > limit ? Math.floor(Math.log2(tokens / limit)) : -1;
}

function lastConfirmed(events: readonly ConversationEvent[]): number {
  const confirmed = events.filter((event) => event.type === 'remark' && event.kind === 'confirmation');
  return Math.max(0, ...confirmed.map((event) => ('text' in event ? Number(event.text) || 0 : 0)));
}

interface ChosenTools {
  readonly tools: readonly Tool[];
  readonly settings: readonly ToolSettings[];
  readonly leftOut: readonly LeftOutTool[];
}

/** Starts no server for a tool that this question may not use, nor for the offline model, which calls none. */
async function chosenTools(
  ports: PreparePorts,
  known: AssistantKnowledge,
  { tools: choice, recordDecision }: PrepareInput,
  signal: AbortSignal,
): Promise<ChosenTools> {
  const { tools, settings, leftOut } = await assistantTools(ports, known);
  const missing = leftOut.filter(({ name }) => isChosen(choice, name));
  const [needed] = missing.filter(({ name }) => choice.only.includes(name));
  if (needed) throw needed.fault;
  const ofServers = settings.filter(({ source, isEnabled }) => isEnabled && source.kind === 'mcp');
  requireKnown(
    choice,
    [...tools, ...leftOut, ...ofServers].map(({ name }) => name),
  );
  const own = tools.filter(({ name }) => isChosen(choice, name));
  const asked = ofServers.filter(({ name }) => isChosen(choice, name));
  if (asked.length === 0 || ports.config.assistant.model === OFFLINE_MODEL)
    return { tools: own, settings, leftOut: missing };
  const served = await assistantServerTools(ports, asked, { signal, recordDecision });
  return { tools: [...own, ...served.tools], settings, leftOut: [...missing, ...served.leftOut] };
}

function isChosen({ only, without }: ToolChoice, name: string): boolean {
  return (only.length === 0 || only.includes(name)) && !without.includes(name);
}

function requireKnown({ only, without }: ToolChoice, names: readonly string[]): void {
  const stray = [...only, ...without].find((name) => !names.includes(name));
  if (stray === undefined) return;
  throw new Fault('tools/bad-arguments', `There is no tool "${stray}".`, {
    hint: didYouMean(stray, names) ?? `Tools: ${names.join(', ') || 'none'}.`,
  });
}
