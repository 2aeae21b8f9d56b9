import type { Row } from 'postgres';
import type { KeptTopic } from '../../../domain/references/topic/library.ts';
import type { ReferenceTopic } from '../../../domain/references/topic/topic.ts';
import { bytesIn } from '../contents/file-sets.ts';
import type { Database, Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';

/** The text of `topic.md`, as a directory holds it. */
export interface TopicFormat {
  format(topic: ReferenceTopic): string;
  parse(
    slug: string,
    text: string,
  ): { readonly ok: true; readonly topic: ReferenceTopic } | { readonly ok: false; readonly problem: string };
}

export interface LibraryPlace {
  readonly database: Database;
  readonly tenant: Tenant;
  readonly topicFormat: TopicFormat;
}

export async function fileSetOf(sql: Transaction, tenant: Tenant, slug: string): Promise<string | undefined> {
  const [row] = await sql`
    select t.file_set from ken.reference_topic t where ${tenantTerm(sql, tenant, 't')} and t.slug = ${slug}`;
  return row && String(row.file_set);
}

export async function topicIn(
  sql: Transaction,
  { tenant, topicFormat }: LibraryPlace,
  slug: string,
): Promise<KeptTopic | undefined> {
  const [row] = await sql`
    select t.slug, t.file_set, t.description from ken.reference_topic t
    where ${tenantTerm(sql, tenant, 't')} and t.slug = ${slug}`;
  return row && keptTopic(topicFormat, row);
}

/** Nobody else changes it until the transaction ends. */
export async function lockedTopicIn(
  sql: Transaction,
  place: LibraryPlace,
  slug: string,
): Promise<KeptTopic | undefined> {
  await sql`
    select 1 from ken.reference_topic t where ${tenantTerm(sql, place.tenant, 't')} and t.slug = ${slug} for update`;
  return topicIn(sql, place, slug);
}

export function keptTopic({ parse }: TopicFormat, { slug, file_set, description }: Row): KeptTopic {
  const read = parse(String(slug), textOf(description));
  return read.ok
    ? { slug: String(slug), topic: read.topic, stamp: String(file_set) }
    : { slug: String(slug), problem: read.problem };
}

export function textOf(value: unknown): string {
  return new TextDecoder().decode(bytesIn(value));
}
