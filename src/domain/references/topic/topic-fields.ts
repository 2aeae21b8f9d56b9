import { isoTime } from '../../../base/time.ts';
import { changeFrom, labelsFrom, NO_MODEL, tableOfChange } from './change-fields.ts';
import {
  FieldProblem,
  instant,
  isTable,
  list,
  nonEmpty,
  optional,
  type Table,
  text,
  texts,
  whole,
} from './field-readers.ts';
import { sourceFrom, tableOfSource } from './source-fields.ts';
import {
  type Creator,
  DEFAULT_MAX_AGE_DAYS,
  DEFAULT_TRUST_SCORE,
  type FileList,
  LISTED_FILES,
  type ReferenceTopic,
  topicId,
} from './topic.ts';

/** Topics of this version have no key `format`; one that counts higher was written by a newer ken. */
const FORMAT = 1;

/** Throws a FieldProblem that names the key. Missing keys get defaults. */
export function topicFrom(slug: string, table: Table, body: string): ReferenceTopic {
  if (Number(table.format ?? FORMAT) > FORMAT)
    throw new FieldProblem('a newer ken wrote this topic; update ken');
  const { id: _id, type: _type, title, tags, labels, status, obsolete_since: since, ...more } = table;
  const { created_at, created_by, approved_by, approval, fetched_at, max_age_days, ...rest } = more;
  const { trust_score, sources, files, file_count, changes, ...unknown } = rest;
  const obsoleteSince = optional(since, (value) => instant('obsolete_since', value));
  const fetchedAt = optional(fetched_at, (value) => instant('fetched_at', value));
  const approver = optional(approved_by, (value) => text('approved_by', value));
  return {
    slug,
    title: nonEmpty('title', title),
    body,
    tags: texts('tags', tags ?? []),
    labels: labelsFrom('labels', labels),
    status: status === 'obsolete' ? 'obsolete' : knownStatus(status),
    ...(obsoleteSince !== undefined && { obsoleteSince }),
    createdAt: optional(created_at, (value) => instant('created_at', value)) ?? fetchedAt ?? 0,
    createdBy: creatorFrom(created_by),
    ...(approver !== undefined && {
      approvedBy: { operator: approver, id: text('approval', approval ?? '') },
    }),
    fetchedAt,
    maxAgeDays: whole('max_age_days', max_age_days ?? DEFAULT_MAX_AGE_DAYS, Number.MAX_SAFE_INTEGER),
    trustScore: whole('trust_score', trust_score ?? DEFAULT_TRUST_SCORE, 10),
    sources: list('sources', sources ?? []).map((source, at) => sourceFrom(`sources[${at}]`, source)),
    files: filesFrom(files, file_count),
    changes: list('changes', changes ?? []).map((change, at) => changeFrom(`changes[${at}]`, change)),
    unknown,
  };
}

/** Keys in reading order, unknown ones last. */
export function tableOfTopic(topic: ReferenceTopic): Table {
  const { createdBy, approvedBy, files } = topic;
  return {
    id: topicId(topic),
    title: topic.title,
    type: 'ReferenceTopic',
    created_at: isoTime(topic.createdAt),
    trust_score: topic.trustScore,
    tags: topic.tags,
    status: topic.status,
    ...(topic.obsoleteSince !== undefined && { obsolete_since: isoTime(topic.obsoleteSince) }),
    ...(topic.fetchedAt !== undefined && { fetched_at: isoTime(topic.fetchedAt) }),
    max_age_days: topic.maxAgeDays,
    ...(approvedBy && { approved_by: approvedBy.operator, approval: approvedBy.id }),
    files: files.first.slice(0, LISTED_FILES),
    file_count: files.count,
    created_by: { ghost: createdBy.ghost, model: createdBy.model ?? NO_MODEL, ...createdBy.unknown },
    ...(topic.labels.size > 0 && { labels: Object.fromEntries(topic.labels) }),
    sources: topic.sources.map(tableOfSource),
    ...(topic.changes.length > 0 && { changes: topic.changes.map(tableOfChange) }),
    ...topic.unknown,
  };
}

function knownStatus(status: unknown): 'active' {
  if (status === undefined || status === 'active' || status === 'stale') return 'active';
  throw new FieldProblem('status is none of active, stale and obsolete');
}

function creatorFrom(value: unknown): Creator {
  if (value === undefined) return { ghost: 'unknown', model: undefined, unknown: {} };
  if (!isTable(value)) throw new FieldProblem('created_by is not a table');
  const { ghost, model, ...unknown } = value;
  const name = optional(model, (given) => text('created_by.model', given));
  return {
    ghost: text('created_by.ghost', ghost ?? 'unknown'),
    model: name === NO_MODEL ? undefined : name,
    unknown,
  };
}

function filesFrom(files: unknown, count: unknown): FileList {
  const first = texts('files', files ?? []);
  return { first, count: whole('file_count', count ?? first.length, Number.MAX_SAFE_INTEGER) };
}
