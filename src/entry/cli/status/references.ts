import { isGood } from '../../../domain/references/topic/library.ts';
import { listTopics } from '../../../domain/references/topic/list-topics.ts';
import type { ReadSection } from './section.ts';

export const readReferences: ReadSection = async (app) => {
  const kept = await app.library.list();
  if (kept.length === 0) return undefined;
  const topics = await listTopics(app, { includeObsolete: true });
  const count = (wanted: string) => topics.filter(({ status }) => status === wanted).length;
  const broken = kept.filter((each) => !isGood(each)).length;
  const [stale, obsolete] = [count('stale'), count('obsolete')];
  const lines = [kept.length === 1 ? '1 reference topic' : `${kept.length} reference topics`];
  if (stale > 0) lines.push(`${stale} stale; fetch again with "ken ref refresh --stale"`);
  if (broken > 0) lines.push(`${broken} broken; see "ken ref doctor"`);
  return { lines, data: { topics: topics.length, stale, obsolete, broken } };
};
