import { isGood } from '../../../domain/references/topic/library.ts';
import { topicId } from '../../../domain/references/topic/topic.ts';
import { ok, problem, type RunCheck, warning } from './check.ts';

/** Looks at every topic.md and at no other file; "ken ref doctor" does. */
export const checkReferenceLibrary: RunCheck = async ({ app }) => {
  const kept = await app.library.list();
  const [broken, ...more] = kept.filter((each) => !isGood(each));
  if (broken) {
    const others = more.length > 0 ? `, and ${more.length} more` : '';
    return problem(`${topicId(broken)} is broken${others}`, 'See "ken ref doctor".');
  }
  const topics = kept.length === 1 ? '1 topic' : `${kept.length} topics`;
  if (await app.referenceIndex.isCurrent()) return ok(topics);
  return warning(`${topics}, and the index is behind`, 'The next search brings it up to date.');
};
