import { isoTime } from '../../../base/time.ts';
import { isLabelKey } from '../../labels/label-value.ts';
import { FieldProblem, instant, isTable, optional, type Table, text, texts, whole } from './field-readers.ts';
import type { KeptStatus } from './topic.ts';
import type { Actor, Said, TopicChange } from './topic-change.ts';

export const NO_MODEL = 'none';

export function changeFrom(name: string, value: unknown): TopicChange {
  if (!isTable(value)) throw new FieldProblem(`${name} is not a table`);
  const { at, ghost, model, before, undone_at, undone_by, undone_by_model } = value;
  return {
    at: instant(`${name}.at`, at),
    by: actorFrom(name, ghost, model),
    before: saidFrom(`${name}.before`, before ?? {}),
    ...(undone_at !== undefined && {
      undone: {
        at: instant(`${name}.undone_at`, undone_at),
        by: actorFrom(name, undone_by, undone_by_model),
      },
    }),
  };
}

export function tableOfChange({ at, by, before, undone }: TopicChange): Table {
  return {
    at: isoTime(at),
    ghost: by.ghost,
    model: by.model ?? NO_MODEL,
    ...(undone && {
      undone_at: isoTime(undone.at),
      undone_by: undone.by.ghost,
      undone_by_model: undone.by.model ?? NO_MODEL,
    }),
    before: tableOfSaid(before),
  };
}

/** The front matter form of a description, with its body. */
export function tableOfSaid({ status, obsoleteSince, maxAgeDays, body, tags, labels }: Said): Table {
  return {
    ...(status !== undefined && { status }),
    ...(obsoleteSince !== undefined && { obsolete_since: isoTime(obsoleteSince) }),
    ...(maxAgeDays !== undefined && { max_age_days: maxAgeDays }),
    ...(body !== undefined && { body }),
    ...(tags !== undefined && { tags }),
    ...(labels !== undefined && { labels: Object.fromEntries(labels) }),
  };
}

function saidFrom(name: string, value: unknown): Said {
  if (!isTable(value)) throw new FieldProblem(`${name} is not a table`);
  const { status, obsolete_since: since, max_age_days: days, body, tags, labels } = value;
  return {
    ...(status !== undefined && { status: statusFrom(name, status) }),
    ...(since !== undefined && { obsoleteSince: instant(`${name}.obsolete_since`, since) }),
    ...(days !== undefined && { maxAgeDays: whole(`${name}.max_age_days`, days, Number.MAX_SAFE_INTEGER) }),
    ...(body !== undefined && { body: text(`${name}.body`, body) }),
    ...(tags !== undefined && { tags: texts(`${name}.tags`, tags) }),
    ...(labels !== undefined && { labels: labelsFrom(`${name}.labels`, labels) }),
  };
}

function statusFrom(name: string, status: unknown): KeptStatus {
  if (status === 'active' || status === 'obsolete') return status;
  throw new FieldProblem(`${name}.status is none of active and obsolete`);
}

function actorFrom(name: string, ghost: unknown, model: unknown): Actor {
  const given = optional(model, (value) => text(`${name}.model`, value));
  return {
    ghost: text(`${name}.ghost`, ghost ?? 'unknown'),
    model: given === NO_MODEL ? undefined : given,
  };
}

export function labelsFrom(name: string, value: unknown): ReadonlyMap<string, string> {
  if (value === undefined) return new Map();
  if (!isTable(value)) throw new FieldProblem(`${name} is not a table`);
  return new Map(
    Object.entries(value).map(([key, label]) => {
      if (!isLabelKey(key)) throw new FieldProblem(`${name} has a key that is none: ${JSON.stringify(key)}`);
      return [key, text(`${name}.${key}`, label)];
    }),
  );
}
