/** What a turn needs besides its question: the tools and what they may do, the system prompt. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkspaceApp } from '../../../../app.ts';
import type { NoteDecision } from '../../../../base/decision-note.ts';
import { Fault } from '../../../../base/fault.ts';
import { didYouMean } from '../../../../base/similar.ts';
import { knowledgeSection } from '../../../../domain/knowledge-base/knowledge-section.ts';
import { type OpenTopic, openTopics } from '../../../../domain/knowledge-base/open-topics.ts';
import { preload } from '../../../../domain/knowledge-base/preload.ts';
import { referenceSection } from '../../../../domain/references/tools/prompt-section.ts';
import { answerQuestion } from '../../../../domain/tools/answer-question.ts';
import type { AskedQuestion } from '../../../../domain/tools/run-tool.ts';
import { answerFromModel } from '../../../../domain/turns/answer-from-model.ts';
import type { AskPorts } from '../../../../domain/turns/ask.ts';
import type { Patience } from '../../../../domain/turns/ask-model.ts';
import { systemPrompt } from '../../../../domain/turns/system-prompt.ts';
import { turnTools } from '../../../../domain/turns/turn-tools.ts';
import { askingUndisturbed } from '../../asking.ts';
import { type AssistantTools, assistantServerTools, assistantTools } from '../../assistant-tools.ts';
import type { Invocation } from '../../command.ts';
import type { Options } from '../../options.ts';
import { queryKnowledge } from '../../query-knowledge.ts';

export interface PreparedTurn extends Pick<AskPorts, 'patience' | 'tools'> {
  /** `provider/model` */
  readonly model: string;
  readonly system: string;
}

export async function prepareTurn(
  invocation: Invocation,
  given: WorkspaceApp,
  noteDecision: NoteDecision,
): Promise<PreparedTurn> {
  const app = askingUndisturbed(invocation.terminal, given);
  const { assistant } = app.config;
  const knowledge = queryKnowledge(app, chosenTools(invocation.options));
  const loaded = preload(await openTopics(app, knowledge), knowledge);
  const { tools, settings } = await wantedTools({ ...invocation, noteDecision }, app, loaded.opened);
  for (const tool of tools) tool.warm?.();
  const ports = {
    ...app,
    answerQuestion: answerQuestion(
      {
        ...app,
        askAssistant: async (asked: AskedQuestion, signal: AbortSignal) =>
          answerFromModel(await app.models.open(assistant.model), asked, signal),
      },
      settings,
    ),
  };
  return {
    model: assistant.model,
    patience: patience(assistant.request),
    tools: turnTools(ports, { tools, workspace: app.workspace.root, actor: assistant.name }),
    system: systemPrompt(assistant, [
      knowledgeSection(loaded),
      await referenceSection(app, app.config.references.prompt_topics),
    ]),
  };
}

/** No server is started for a tool that this question is not to have, nor for a model that calls none. */
async function wantedTools(
  invocation: Invocation & { readonly noteDecision: NoteDecision },
  app: WorkspaceApp,
  opened: readonly OpenTopic[],
): Promise<AssistantTools> {
  const { tools, settings } = assistantTools(app, opened);
  const ofServers = settings.filter(({ source, isEnabled }) => isEnabled && source.kind === 'mcp');
  const isWanted = wanted(
    invocation.options,
    [...tools, ...ofServers].map(({ name }) => name),
  );
  const own = tools.filter(({ name }) => isWanted(name));
  const asked = ofServers.filter(({ name }) => isWanted(name));
  if (asked.length === 0 || app.config.assistant.model === 'ken/extractive') return { tools: own, settings };
  const served = await assistantServerTools(app, asked, invocation);
  for (const { name, fault } of served.leftOut) {
    invocation.terminal.warn(
      [`Without the tool ${name}: ${fault.message}`, fault.hint].filter(Boolean).join('\n'),
    );
  }
  return { tools: [...own, ...served.tools], settings };
}

/** `--tool` and `--no-tool`. */
function wanted(options: Options, names: readonly string[]): (name: string) => boolean {
  const [only, without] = [options.texts('tool'), options.texts('no-tool')];
  const stray = [...only, ...without].find((name) => !names.includes(name));
  if (stray !== undefined) {
    throw new Fault('cli/usage', `There is no tool "${stray}".`, {
      hint: didYouMean(stray, names) ?? `Tools: ${names.join(', ') || 'none'}.`,
    });
  }
  return chosenTools(options);
}

function chosenTools(options: Options): (name: string) => boolean {
  const [only, without] = [options.texts('tool'), options.texts('no-tool')];
  return (name) => (only.length === 0 || only.includes(name)) && !without.includes(name);
}

function patience(request: { max_retries: number; idle_timeout_s: number }): Patience {
  return {
    maxRetries: request.max_retries,
    idleMs: request.idle_timeout_s * 1000,
    random: Math.random,
    async wait(milliseconds, signal) {
      // An aborted wait has simply ended.
      await sleep(milliseconds, undefined, { signal }).catch(() => {});
    },
  };
}
