/** Updates a topic's description. Each change is recorded and can be undone; nothing is fetched. */

import { Fault } from '../../../base/fault.ts';
import { changeLabels, type LabelChange } from '../../labels/label.ts';
import { type AgingPorts, requireTopic } from '../topic/find-topic.ts';
import { type TopicSummary, topicSummary } from '../topic/list-topics.ts';
import { type KeptStatus, type ReferenceTopic, topicId } from '../topic/topic.ts';
import { type Actor, recordChange, undoLastChange } from '../topic/topic-change.ts';
import { checkedBody, distinctTags } from './topic-request.ts';

/** Absent members stay unchanged. */
export interface TopicPatch {
  readonly status?: string | undefined;
  readonly maxAgeDays?: number | undefined;
  readonly body?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly labels?: readonly LabelChange[] | undefined;
}

interface UpdateInput {
  readonly topic: string;
  readonly by: Actor;
}

export async function updateTopic(
  ports: AgingPorts,
  input: UpdateInput & { readonly patch: TopicPatch },
): Promise<TopicSummary> {
  const { patch, by } = input;
  const status = keptStatus(patch.status);
  if (Object.values(patch).every((value) => value === undefined))
    throw new Fault('references/invalid', 'Nothing to change was given.', {
      hint: 'Give a status, a maximum age, a body, tags or labels.',
    });
  if (patch.maxAgeDays !== undefined && !(Number.isSafeInteger(patch.maxAgeDays) && patch.maxAgeDays >= 0))
    throw new Fault('references/invalid', 'The maximum age must be a whole number of days, 0 or more.');
  return change(ports, input, (topic, at) =>
    recordChange(topic, patched(topic, patch, status, at), { at, by }),
  );
}

/** Undoes the newest change that is not undone yet. */
export async function undoUpdate(ports: AgingPorts, input: UpdateInput): Promise<TopicSummary> {
  return change(ports, input, (topic, at) => {
    const before = undoLastChange(topic, { at, by: input.by });
    if (before) return before;
    throw new Fault('references/invalid', `No change of ${topicId(topic)} is left to undo.`);
  });
}

async function change(
  ports: AgingPorts,
  input: UpdateInput,
  made: (topic: ReferenceTopic, now: number) => ReferenceTopic,
): Promise<TopicSummary> {
  const { slug } = await requireTopic(ports, input.topic);
  const now = ports.clock.now();
  let after: ReferenceTopic | undefined;
  await ports.library.change(slug, (topic) => {
    after = made(topic, now);
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
    body: body === undefined ? topic.body : checkedBody(body),
    tags: tags === undefined ? topic.tags : distinctTags(tags),
    labels: labels === undefined ? topic.labels : changeLabels(topic.labels, labels),
  };
}

function keptStatus(status: string | undefined): KeptStatus | undefined {
  if (status === undefined || status === 'active' || status === 'obsolete') return status;
  throw new Fault('references/invalid', `"${status}" cannot be set as a status.`, {
    hint:
      status === 'stale'
        ? 'A topic becomes stale by its age; set its maximum age instead.'
        : 'Set "active" or "obsolete".',
  });
}
