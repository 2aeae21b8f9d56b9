/** Changes what is said about a topic; nothing is fetched. */

import { Fault } from '../../base/fault.ts';
import { changeLabels, type LabelChange } from '../labels/label.ts';
import { type AgingPorts, requireTopic } from './find-topic.ts';
import type { KeptStatus, ReferenceTopic } from './topic.ts';
import { type TopicSummary, topicSummary } from './topic-summary.ts';

/** What is absent stays as it is. */
export interface TopicPatch {
  readonly status?: string | undefined;
  readonly maxAgeDays?: number | undefined;
  readonly body?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly labels?: readonly LabelChange[] | undefined;
}

export async function updateTopic(
  ports: AgingPorts,
  input: { readonly topic: string; readonly patch: TopicPatch },
): Promise<TopicSummary> {
  const { patch } = input;
  const status = keptStatus(patch.status);
  if (Object.values(patch).every((value) => value === undefined))
    throw new Fault('references/invalid', 'Nothing is to be changed.', {
      hint: 'Give a status, a greatest age, a body, tags or labels.',
    });
  if (patch.maxAgeDays !== undefined && !(Number.isSafeInteger(patch.maxAgeDays) && patch.maxAgeDays >= 0))
    throw new Fault('references/invalid', 'The greatest age is a whole number of days from 0.');
  const { slug } = await requireTopic(ports, input.topic);
  const now = ports.clock.now();
  let after: ReferenceTopic | undefined;
  await ports.library.change(slug, (topic) => {
    after = patched(topic, patch, status, now);
    return after;
  });
  if (!after)
    throw new Fault('references/not-found', `There is no reference topic "${input.topic}" any more.`);
  return topicSummary(after, now);
}

function patched(
  topic: ReferenceTopic,
  { maxAgeDays, body, tags, labels }: TopicPatch,
  status: KeptStatus | undefined,
  now: number,
): ReferenceTopic {
  const { obsoleteSince, ...rest } = topic;
  const next = status ?? topic.status;
  const since = topic.status === 'obsolete' ? obsoleteSince : now;
  return {
    ...rest,
    status: next,
    ...(next === 'obsolete' && since !== undefined && { obsoleteSince: since }),
    maxAgeDays: maxAgeDays ?? topic.maxAgeDays,
    body: body ?? topic.body,
    tags: tags === undefined ? topic.tags : [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))],
    labels: labels === undefined ? topic.labels : changeLabels(topic.labels, labels),
  };
}

function keptStatus(status: string | undefined): KeptStatus | undefined {
  if (status === undefined || status === 'active' || status === 'obsolete') return status;
  throw new Fault('references/invalid', `"${status}" cannot be set as a status.`, {
    hint:
      status === 'stale'
        ? 'A topic becomes stale by its age; set its greatest age instead.'
        : 'Set "active" or "obsolete".',
  });
}
