import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server';
import type { OpenTopic } from '../../domain/knowledge-base/open-topics.ts';
import { promptName } from './prompts.ts';
import type { ServedWorkspace } from './served-workspace.ts';

/** The protocol's maximum. */
const MOST_VALUES = 100;

export async function complete(
  served: ServedWorkspace,
  { params }: CompleteRequest,
): Promise<CompleteResult> {
  const { ref, argument, context } = params;
  const topics = await served.topics();
  if (ref.type === 'ref/prompt') {
    const open = topics.find(({ topic }) => promptName(topic) === ref.name);
    return argument.name === 'subjects' ? lastOfList(argument.value, slugsOf(open)) : answer([]);
  }
  if (argument.name === 'topic')
    return answer(
      topics.map(({ topic }) => topic.id),
      argument.value,
    );
  const open = topics.find(({ topic }) => topic.id === context?.arguments?.topic);
  return argument.name === 'slug' ? answer(slugsOf(open), argument.value) : answer([]);
}

function slugsOf(open: OpenTopic | undefined): readonly string[] {
  const subjects = open?.catalog.reachable.all ?? [];
  return subjects.filter(({ hidden }) => !hidden).map(({ slug }) => slug);
}

/** Completes the last item of a list: `deploy, te` becomes `deploy, tea`. */
function lastOfList(typed: string, slugs: readonly string[]): CompleteResult {
  const at = typed.lastIndexOf(',') + 1;
  const head = typed.slice(0, at) + (/^\s*/.exec(typed.slice(at))?.[0] ?? '');
  const { completion } = answer(slugs, typed.slice(head.length));
  return { completion: { ...completion, values: completion.values.map((slug) => `${head}${slug}`) } };
}

function answer(all: readonly string[], typed = ''): CompleteResult {
  const fitting = all.filter((each) => each.startsWith(typed));
  return {
    completion: {
      values: fitting.slice(0, MOST_VALUES),
      total: fitting.length,
      hasMore: fitting.length > MOST_VALUES,
    },
  };
}
