import { expect, it } from 'vitest';
import { scaled } from '../scale.ts';
import { databaseUrl, postgresProblem } from '../team/postgres.ts';
import { JSON_CALLS, type JsonCall, jsonExamples } from './json-calls.ts';
import { sandbox } from './ken.ts';
import { runningHere } from './ken-here.ts';
import { prepareCall, wordsOf } from './prepare-call.ts';

const NO_CALL: JsonCall = { words: [] };
const rows = [...jsonExamples()].flatMap(([title, examples]) =>
  examples.map((example, at) => ({ title, example, call: JSON_CALLS[title]?.[at] ?? NO_CALL })),
);

/** A process for one command of each group, and for all of them in the long run; the bundle is the same. */
const isLong = scaled(1) > 1;
const groupOf = (title: string) => title.split(' ').slice(0, 2).join(' ');
const ownProcess = new Set(
  rows.filter(
    ({ title }, at) => isLong || rows.findIndex((row) => groupOf(row.title) === groupOf(title)) === at,
  ),
);

const TITLE = '$title answers $call.words with the shape that the page shows';

it.each(rows.filter(({ call }) => !call.hasTeam))(TITLE, answersWithShape);

it.skipIf(postgresProblem() !== undefined).each(rows.filter(({ call }) => call.hasTeam))(
  TITLE,
  answersWithShape,
);

async function answersWithShape(row: (typeof rows)[number]): Promise<void> {
  const { title, example, call } = row;
  const place = sandbox(call.config);
  const here = runningHere(place);
  await prepareCall(here, call);
  const environment = {
    ...call.environment,
    ...(call.hasTeam && { KEN_TEAM_URL: await databaseUrl() }),
  };
  const words = [...(await wordsOf(here, call.words)), '--json'];
  const { code, stdout, stderr } = await (ownProcess.has(row) ? place : here).ken(words, { environment });
  expect({ code, stderr }).toMatchObject({ code: call.code ?? 0 });
  expect(shapeOf(JSON.parse(title === 'Errors' ? stderr : stdout))).toEqual(shapeOf(example));
}

/** Keys and types; of a list its first element. An empty list or `null` could hold anything. */
function shapeOf(value: unknown): unknown {
  if (value === null) return expect.anything();
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : expect.any(Array);
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}
