/** What a turn needs besides its question: the model, the tools and what they may do, the system prompt. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkspaceApp } from '../../../../app.ts';
import { seekApproval } from '../../../../domain/approvals/seek-approval.ts';
import { knowledgeSection } from '../../../../domain/knowledge-base/knowledge-section.ts';
import { learnTool } from '../../../../domain/knowledge-base/learn-tool.ts';
import { openTopics } from '../../../../domain/knowledge-base/open-topics.ts';
import { preload } from '../../../../domain/knowledge-base/preload.ts';
import { knowledgeBaseFrom } from '../../../../domain/knowledge-base/topic.ts';
import type { AskPorts } from '../../../../domain/turns/ask.ts';
import type { Patience } from '../../../../domain/turns/ask-model.ts';
import { systemPrompt } from '../../../../domain/turns/system-prompt.ts';
import { turnTools } from '../../../../domain/turns/turn-tools.ts';

export interface PreparedTurn {
  readonly ports: Pick<AskPorts, 'model' | 'patience' | 'tools'>;
  readonly system: string;
}

export async function prepareTurn(app: WorkspaceApp, _signal: AbortSignal): Promise<PreparedTurn> {
  const { assistant } = app.config;
  const knowledge = knowledgeBaseFrom(app.config.kb);
  const loaded = preload(await openTopics(app, knowledge), knowledge);
  const learn = learnTool(app, knowledge, loaded.opened);
  learn?.warm?.();
  const tools = turnTools(
    {
      seekApproval: (reason, signal) =>
        seekApproval(
          app,
          { reason, workspace: app.workspace.root, actor: assistant.name, request: reason },
          signal,
        ),
      answer: async () => undefined,
    },
    learn ? [learn] : [],
  );
  const model = await app.models.open(assistant.model);
  return {
    ports: { model, tools, patience: patience(assistant.request) },
    system: systemPrompt(assistant, [knowledgeSection(loaded)]),
  };
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
