/** ken for programs: the same knowledge, under the same rules, as on the command line and for assistants. */

import { isInWorkspace, type OpenApp, type OpenRequest } from '../app.ts';
import { Fault } from '../base/fault.ts';
import { didYouMean } from '../base/similar.ts';
import { learnFrom } from '../domain/knowledge-base/learn/learn-from.ts';
import { LEARN_ALIASES, LEARN_PARAMETERS } from '../domain/knowledge-base/learn/learn-tool.ts';
import { openTopics } from '../domain/knowledge-base/open-topics.ts';
import { offeredKnowledge, topicHeading } from '../domain/knowledge-base/topic.ts';
import { citedWith, requireCitation } from '../domain/search/citations/citation.ts';
import { showCitation } from '../domain/search/citations/show-citation.ts';
import { questionFrom } from '../domain/search/engine/search-tool.ts';
import { SEARCH } from '../domain/search/engine/search-tool-schema.ts';
import { callTool, toolsNamed } from '../domain/tools/call-tool.ts';
import type { ToolMaker } from '../domain/tools/tool.ts';
import { parametersOf } from '../domain/tools/unattended-tool.ts';
import { builtinTools } from '../domain/turns/tools/builtin-tools.ts';
import { asking, type LibraryPlace, unattendedApp } from './library-ask.ts';
import { changesOf } from './library-changes.ts';
import { ASK, checkedArguments, factsOf, withoutUndefined } from './library-facts.ts';
import { recordsOf } from './library-records.ts';
import type { Ken, KenError, OpenWorkspaceOptions, TopicSummary } from './library-types.ts';
import { untilClosed } from './until-closed.ts';

export function isFault(error: unknown): error is KenError {
  return error instanceof Fault;
}

/** `openApp` connects the parts. */
export async function openKen(
  openApp: OpenApp,
  directory: string,
  options: OpenWorkspaceOptions = {},
): Promise<Ken> {
  const request: OpenRequest = {
    assignments: options.settings ?? [],
    workspace: undefined,
    directory,
    environment: options.environment ?? process.env,
    warn: (text) => options.onWarning?.(text),
  };
  const app = await openApp(request);
  if (!isInWorkspace(app)) {
    await app.close();
    throw new Fault(
      'workspace/not-found',
      `There is no workspace in ${directory} or in any directory above.`,
      { hint: 'Run "ken init" to make it one.' },
    );
  }
  return kenOf({ app, openApp, request }, options.actor ?? 'library');
}

function kenOf(place: LibraryPlace, actor: string): Ken {
  const app = unattendedApp(place.app);
  const knowledge = offeredKnowledge(app);
  const makers = async () => {
    const input = {
      knowledge,
      opened: await openTopics(app, knowledge),
      actor: { name: actor, run: app.ids.ulid() },
    };
    return [...builtinTools(app, input)].map(([name, { make }]): ToolMaker => [name, make]);
  };
  const call: Ken['call'] = async (name, given, signal = new AbortController().signal) => {
    signal.throwIfAborted();
    const input = {
      tools: toolsNamed(await makers(), name),
      name,
      arguments: withoutUndefined({ ...given }),
      caller: { policy: 'asks', actor },
      workspace: app.workspace.root,
    } as const;
    const ports = { ...app, answerQuestion: async () => undefined };
    const { outcome, data, refused } = await callTool(ports, input, signal);
    if (refused?.kind === 'unknown') throw unknownTool(name, refused.names);
    if (refused?.kind === 'bad-arguments') throw new Fault('tools/bad-arguments', refused.message);
    if (outcome.type === 'success') return { isError: false, text: outcome.text, data };
    const text =
      outcome.type === 'error' ? [outcome.message, ...outcome.trace].join('\n') : outcome.question.text;
    return { isError: true, text, data };
  };
  const methods: Omit<Ken, 'ask' | 'close' | typeof Symbol.asyncDispose> = {
    root: app.workspace.root,
    topics: async () => (await openTopics(app, knowledge)).map(summaryOf),
    async learn(topic, subjects = []) {
      checkedArguments(LEARN, { topic, subjects });
      return learnFrom(app, knowledge, { topic, patterns: [subjects].flat() });
    },
    // Does not use the tool, which fences its results for a model.
    async search(question, options = {}, signal = new AbortController().signal) {
      signal.throwIfAborted();
      const asked = questionFrom(checkedArguments(SEARCH_TOOL, { question, ...options }));
      const { searchApp } = await import('./searched-indexes.ts');
      return searchApp(app, asked, signal);
    },
    ...recordsOf(app, place.request),
    ...changesOf(app, place.request),
    ...factsOf(app, () => ({ name: actor, run: app.ids.ulid() })),
    async show(uri, { sha256 } = {}) {
      const citation = citedWith(requireCitation(uri), sha256);
      const { text, isChanged } = await showCitation(app, knowledge, citation);
      return { text, isChanged };
    },
    call,
    tools: async () =>
      (await makers())
        .flatMap(([, make]) => make() ?? [])
        .filter(({ run }) => run !== 'deny')
        .map(({ name, description, parameters }) => ({ name, description, parameters })),
  };
  const ask: Ken['ask'] = (question, options = {}, signal = new AbortController().signal) => {
    checkedArguments(ASK, { question, ...options });
    return asking(place, question, options, signal);
  };
  return untilClosed(methods, { ask }, () => place.app.close());
}

const LEARN = { name: 'learn', parameters: LEARN_PARAMETERS, aliases: LEARN_ALIASES };
const SEARCH_TOOL = { name: 'search', parameters: parametersOf(SEARCH) };

function summaryOf({ topic, catalog }: Awaited<ReturnType<typeof openTopics>>[number]): TopicSummary {
  const listed = catalog.reachable.all.filter(({ hidden }) => !hidden);
  return { id: topic.id, title: topicHeading(topic), subjects: listed.map(({ slug }) => slug) };
}

function unknownTool(name: string, names: readonly string[]): Fault {
  return new Fault('tools/not-found', `There is no tool "${name}".`, {
    hint: didYouMean(name, names) ?? `Tools: ${names.join(', ')}.`,
  });
}
