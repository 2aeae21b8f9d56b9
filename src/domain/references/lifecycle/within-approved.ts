/** Whether a refresh that nobody is asked about stays within what the operator approved. */

import { Fault } from '../../../base/fault.ts';
import type { GatheredSource } from '../sources/gather-source.ts';
import { licenceOf } from '../sources/licence-of.ts';
import type { SourcePlan } from '../sources/plan-source.ts';
import { addressOf, type ReferenceTopic, topicId } from '../topic/topic.ts';

/** A source may have grown to this many times its approved size. */
const MOST_GROWTH = 2;

/** Sentences about what can be seen before content is fetched. */
export function beyondApproved(plans: readonly SourcePlan[]): readonly string[] {
  return plans.flatMap((plan) => {
    const name = addressOf(plan.source);
    if (plan.kind === 'unchanged') return [];
    if (plan.kind === 'failed')
      return plan.fault.code === 'net/other-host' ? [`${name}: ${plan.fault.message}`] : [];
    const { approved } = plan.source;
    if (!approved) return [`${name}: it is not known how large it was when you approved it.`];
    if (plan.kind === 'page') return [];
    const files = plan.carried.length + plan.wanted.length;
    return [
      ...(files > approved.files * MOST_GROWTH
        ? [`${name}: it has ${files} files now, and had ${approved.files}.`]
        : []),
      ...(licenceOf(plan) === approved.licence ? [] : [`${name}: its licence has changed.`]),
    ];
  });
}

/** Sentences about what has been fetched and is not kept yet. */
export function largerThanApproved(gathered: readonly GatheredSource[]): readonly string[] {
  return gathered.flatMap(({ source, files }) => {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const approved = source.approved?.bytes ?? 0;
    return bytes > approved * MOST_GROWTH
      ? [`${addressOf(source)}: it has ${bytes} bytes now, and had ${approved}.`]
      : [];
  });
}

export function requireApproved(problems: readonly string[], topic: ReferenceTopic): void {
  if (problems.length === 0) return;
  throw new Fault(
    'references/not-approved',
    `${topicId(topic)} is not as you approved it. ${problems.join(' ')}`,
    {
      hint: `Look at "ken ref refresh ${topicId(topic)} --dry-run".`,
    },
  );
}
