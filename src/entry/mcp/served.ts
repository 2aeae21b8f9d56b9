/** What a server serves, however its clients are connected. */

import type { WorkspaceApp } from '../../app.ts';
import { nativeLearnRunner } from '../../domain/knowledge-base/learn-tool.ts';
import { type OpenTopic, openTopics } from '../../domain/knowledge-base/open-topics.ts';
import {
  type KnowledgeBase,
  knowledgeBaseFrom,
  withShippedTopic,
} from '../../domain/knowledge-base/topic.ts';
import type { Tool } from '../../domain/tools/tool.ts';
import { type TurnApp, turnPorts } from '../turn-ports.ts';
import { type RunningJobs, runningJobs } from './running-jobs.ts';

export interface Served {
  readonly app: TurnApp;
  readonly knowledge: KnowledgeBase;
  readonly allows: 'all' | 'read';
  /** Beside ken's own. */
  readonly moreTools: readonly Tool[];
  /** A call that takes longer goes on as a job. */
  readonly jobAfterMs: number;
  readonly jobs: RunningJobs;
  /** The topics with what they hold, at most a moment old; or as they were last seen, where that will do. */
  topics(age?: 'any'): Promise<readonly OpenTopic[]>;
  /** Takes a mistake of ken's own. The protocol has standard output to itself. */
  report(error: unknown): void;
  /** Takes what a client did wrong, for who looks for the reason. */
  note(text: string): void;
}

export interface ServeInput extends Pick<Served, 'report' | 'note'> {
  readonly allows: Served['allows'];
  readonly moreTools?: readonly Tool[];
}

export function served(opened: WorkspaceApp, input: ServeInput): Served {
  const app = { ...turnPorts(opened), learnRunner: nativeLearnRunner(opened) };
  const configured = withoutPreloading(knowledgeBaseFrom(app.config.kb));
  // Who may make reference topics is told how.
  const knowledge = input.allows === 'all' ? withShippedTopic(configured) : configured;
  return {
    app,
    knowledge,
    allows: input.allows,
    moreTools: input.moreTools ?? [],
    jobAfterMs: app.config.mcp.job_after_s * 1000,
    jobs: runningJobs(app),
    topics: shortlyKept(app.clock, () => openTopics(app, knowledge)),
    report: input.report,
    note: input.note,
  };
}

/** Clients cut long instructions short, so that nothing would be sure to be read: all of it is there to be learned. */
function withoutPreloading(knowledge: KnowledgeBase): KnowledgeBase {
  const topics = knowledge.topics.map((topic) => ({ ...topic, learned: [] }));
  return { ...knowledge, topics, preloadBudgetTokens: 0 };
}

/** Over HTTP every request asks for it; files do not change that fast. */
const KEPT_MS = 1_000;

function shortlyKept<Value>(
  clock: WorkspaceApp['clock'],
  make: () => Promise<Value>,
): (age?: 'any') => Promise<Value> {
  let kept: Promise<Value> | undefined;
  let since = 0;
  return (age) => {
    const now = clock.now();
    if (kept && (age === 'any' || (now - since >= 0 && now - since < KEPT_MS))) return kept;
    since = now;
    kept = make();
    kept.catch(() => {
      kept = undefined;
    });
    return kept;
  };
}
