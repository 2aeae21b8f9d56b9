import { expect, it } from 'vitest';
import { referenceTools } from '../tools/reference-tools.ts';
import {
  createInput,
  LIMITS,
  libraryDesk,
  never,
  REPOSITORY,
  repositoryOf,
  YES,
} from '../topic/library-desk.contract.ts';
import { createTopic } from './create-topic.ts';
import { type TopicPatch, undoUpdate, updateTopic } from './update-topic.ts';

const ADA = { ghost: 'ada', model: undefined };

async function desk() {
  const { ports, time, library, repositories } = libraryDesk(YES);
  repositories[REPOSITORY] = repositoryOf({ 'README.md': '# Signals\n' });
  await createTopic(ports, createInput({ body: 'first', tags: ['ui'] }), never);
  const topic = async () => {
    const kept = await library.get('signals');
    if (!kept || !('topic' in kept)) throw new Error('gone');
    return kept.topic;
  };
  const update = (patch: TopicPatch, by = ADA) => {
    time.now += 1000;
    return updateTopic(ports, { topic: 'signals', by, patch });
  };
  const undo = () => {
    time.now += 1000;
    return undoUpdate(ports, { topic: 'signals', by: ADA });
  };
  return { ports, time, topic, update, undo };
}

it('an assistant changes a topic under its own name and model', async () => {
  const { ports, topic, time } = await desk();
  const user = { ghost: 'ghost-a', model: 'provider/model-1', workspace: '/w', limits: LIMITS };
  const tool = new Map(referenceTools(ports, user)).get('reference_topic_update')?.();
  const given = { topic_id: 'topic-signals', status: 'obsolete', body: 'second', max_age_days: 30 };
  await tool?.call({ action: 'run', arguments: given, answers: {} }, never);
  expect((await topic()).changes).toEqual([
    {
      at: time.now,
      by: { ghost: 'ghost-a', model: 'provider/model-1' },
      before: { status: 'active', body: 'first' },
    },
  ]);
});

it('takes back one change after another, each once, and says by whom', async () => {
  const { topic, update, undo, time } = await desk();
  const before = await topic();
  await update({ status: 'obsolete', labels: [{ kind: 'set', key: 'team', value: 'garden' }] });
  const obsolete = await topic();
  await update({ status: 'active', tags: [' new ', 'new', 'a\nb'], maxAgeDays: 9, body: 'third' });
  expect(await topic()).toMatchObject({
    status: 'active',
    tags: ['new', 'a b'],
    maxAgeDays: 9,
    body: 'third',
  });
  expect((await topic()).obsoleteSince).toBeUndefined();

  expect(await undo()).toMatchObject({ status: 'obsolete', tags: ['ui'], max_age_days: 30 });
  const { changes, ...back } = await topic();
  const { changes: _, ...once } = obsolete;
  expect(back).toEqual(once);
  expect(changes.map(({ undone }) => undone)).toEqual([undefined, { at: time.now, by: ADA }]);

  await undo();
  const { changes: all, ...again } = await topic();
  const { changes: none, ...first } = before;
  expect([again, none, all.length]).toEqual([first, [], 2]);
  await expect(undo()).rejects.toMatchObject({
    code: 'references/invalid',
    message: 'No change of topic-signals is left to undo.',
  });
});

it('an undo leaves alone what its change left alone', async () => {
  const { topic, update, undo } = await desk();
  await update({ status: 'obsolete' });
  const since = (await topic()).obsoleteSince;
  await update({ body: 'second' });
  await undo();
  expect(await topic()).toMatchObject({ status: 'obsolete', obsoleteSince: since, body: 'first' });
});

it('what changes nothing is not on record', async () => {
  const { topic, update } = await desk();
  const before = await topic();
  await update({ status: 'active', maxAgeDays: 30, body: 'first', tags: ['ui'], labels: [] });
  expect(await topic()).toEqual(before);
});

it('keeps the newest changes, and the last one however long it is', async () => {
  const { topic, update } = await desk();
  for (let days = 31; days < 56; days++) await update({ maxAgeDays: days });
  expect((await topic()).changes.map(({ before }) => before.maxAgeDays)).toEqual(
    Array.from({ length: 20 }, (_, at) => 35 + at),
  );
  await update({ body: 'x'.repeat(100_000) });
  await update({ body: 'y'.repeat(60_000) });
  expect((await topic()).changes.map(({ before }) => Object.keys(before))).toEqual([['body']]);
  await update({ body: 'z' });
  expect((await topic()).changes.map(({ before }) => before.body?.length)).toEqual([60_000]);
});

it('a body that is too long is refused', async () => {
  const { update, topic } = await desk();
  await expect(update({ body: 'x'.repeat(100_001) })).rejects.toMatchObject({
    code: 'references/invalid',
    message: 'What a topic is about has at most 100000 characters.',
  });
  expect((await topic()).body).toBe('first');
});
