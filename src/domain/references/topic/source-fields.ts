import { isoTime } from '../../../base/time.ts';
import {
  FieldProblem,
  instant,
  isTable,
  nonEmpty,
  optional,
  type Table,
  text,
  texts,
  whole,
} from './field-readers.ts';
import type { ApprovedSource, TopicSource } from './topic.ts';

export function sourceFrom(name: string, value: unknown): TopicSource {
  if (!isTable(value)) throw new FieldProblem(`${name} is not a table`);
  const { type, fetched_at, approved, ...fields } = value;
  const fetchedAt = optional(fetched_at, (time) => instant(`${name}.fetched_at`, time));
  const fetched = {
    ...(fetchedAt !== undefined && { fetchedAt }),
    ...(approved !== undefined && { approved: approvedFrom(`${name}.approved`, approved) }),
  };
  switch (type) {
    case 'git':
      return { type, ...gitFields(name, fields), ...fetched };
    case 'web': {
      const { url, ...unknown } = fields;
      return { type, url: nonEmpty(`${name}.url`, url), ...fetched, unknown };
    }
    case 'local': {
      const { path, ...unknown } = fields;
      return { type, path: nonEmpty(`${name}.path`, path), ...fetched, unknown };
    }
    default:
      throw new FieldProblem(`${name}.type is none of git, web and local`);
  }
}

function approvedFrom(name: string, value: unknown): ApprovedSource {
  if (!isTable(value)) throw new FieldProblem(`${name} is not a table`);
  const licence = optional(value.licence, (given) => text(`${name}.licence`, given));
  return {
    files: whole(`${name}.files`, value.files, Number.MAX_SAFE_INTEGER),
    bytes: whole(`${name}.bytes`, value.bytes, Number.MAX_SAFE_INTEGER),
    ...(licence !== undefined && { licence }),
  };
}

function gitFields(name: string, fields: Table) {
  const { url, ref, commit, paths, typed, ...unknown } = fields;
  const wanted = optional(ref, (value) => text(`${name}.ref`, value));
  const fetched = optional(commit, (value) => text(`${name}.commit`, value));
  return {
    url: nonEmpty(`${name}.url`, url),
    ...(wanted !== undefined && { ref: wanted }),
    paths: texts(`${name}.paths`, paths ?? []),
    ...(fetched !== undefined && { commit: fetched }),
    ...(typed === true && { isTyped: true }),
    unknown,
  };
}

export function tableOfSource(source: TopicSource): Table {
  const fetched = {
    ...(source.fetchedAt !== undefined && { fetched_at: isoTime(source.fetchedAt) }),
    ...(source.approved && { approved: source.approved }),
  };
  switch (source.type) {
    case 'git':
      return {
        type: 'git',
        url: source.url,
        ...(source.ref !== undefined && { ref: source.ref }),
        ...(source.commit !== undefined && { commit: source.commit }),
        ...(source.paths.length > 0 && { paths: source.paths }),
        ...(source.isTyped && { typed: true }),
        ...fetched,
        ...source.unknown,
      };
    case 'web':
      return { type: 'web', url: source.url, ...fetched, ...source.unknown };
    case 'local':
      return { type: 'local', path: source.path, ...fetched, ...source.unknown };
  }
}
