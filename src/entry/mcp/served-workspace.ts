import type { WorkspaceApp } from '../../app.ts';
import { nativeLearnRunner } from '../../domain/knowledge-base/learn/learn-tool.ts';
import { type OpenTopic, openTopics } from '../../domain/knowledge-base/open-topics.ts';
import { type KnowledgeBase, offeredKnowledge, withShippedTopic } from '../../domain/knowledge-base/topic.ts';
import type { Tool } from '../../domain/tools/tool.ts';
import { type TurnApp, turnPorts } from '../turn-ports.ts';
import { type RunningJobs, runningJobs } from './running-jobs.ts';

export interface ServedWorkspace {
  readonly app: TurnApp;
  readonly knowledge: KnowledgeBase;
  /** `usual`: the default tools; `all`: also those with earlier names; `read`: the usual ones that change nothing. */
  readonly allows: 'usual' | 'all' | 'read';
  readonly moreTools: readonly Tool[];
  /** Leaves out some of ken's tools. */
  offers?(name: string): boolean;
  /** The person whose assistant calls, where there are several. */
  readonly person?: string | undefined;
  /** Where a person decides what waits, if not in a terminal. */
  readonly decidesAt?: string | undefined;
  /** A slower call continues as a job. */
  readonly jobAfterMs: number;
  readonly jobs: RunningJobs;
  topics(age?: 'any'): Promise<readonly OpenTopic[]>;
  /** Reports a bug of ken. Standard output belongs to the protocol. */
  report(error: unknown): void;
  /** Logs a mistake of the client. */
  note(text: string): void;
}

export interface ServeInput
  extends Pick<ServedWorkspace, 'report' | 'note' | 'offers' | 'person' | 'decidesAt'> {
  readonly allows: ServedWorkspace['allows'];
  readonly moreTools?: readonly Tool[];
}

export function servedWorkspace(opened: WorkspaceApp, input: ServeInput): ServedWorkspace {
  const app = { ...turnPorts(opened), learnRunner: nativeLearnRunner(opened) };
  const configured = withoutPreloading(offeredKnowledge(app));
  // Clients that may create reference topics get ken's own topic, which explains how.
  const knowledge = input.allows === 'read' ? configured : withShippedTopic(configured);
  return {
    app,
    knowledge,
    allows: input.allows,
    moreTools: input.moreTools ?? [],
    ...(input.offers && { offers: input.offers }),
    person: input.person,
    decidesAt: input.decidesAt,
    jobAfterMs: app.config.mcp.job_after_s * 1000,
    jobs: runningJobs(app),
    topics: cachedFor(app.clock, () => openTopics(app, knowledge)),
    report: input.report,
    note: input.note,
  };
}

/** Clients truncate long instructions, so no subject is preloaded; `learn` returns each of them. */
function withoutPreloading(knowledge: KnowledgeBase): KnowledgeBase {
  const topics = knowledge.topics.map((topic) => ({ ...topic, learned: [] }));
  return { ...knowledge, topics, preloadBudgetTokens: 0 };
}

/** Over HTTP every request needs the topics, and files do not change that fast. */
const CACHE_MS = 1_000;

function cachedFor<Value>(
  clock: WorkspaceApp['clock'],
  make: () => Promise<Value>,
): (age?: 'any') => Promise<Value> {
  let kept: Promise<Value> | undefined;
  let since = 0;
  return (age) => {
    const now = clock.now();
    if (kept && (age === 'any' || (now - since >= 0 && now - since < CACHE_MS))) return kept;
    since = now;
    kept = make();
    kept.catch(() => {
      kept = undefined;
    });
    return kept;
  };
}
