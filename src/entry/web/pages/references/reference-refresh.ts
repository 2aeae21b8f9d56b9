/** Refreshes a topic, or looks what that would change, and shows the difference; deletes one, with an undo. */

import type { App } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { isJsonObject, parseJson } from '../../../../base/json.ts';
import { lineDifference } from '../../../../base/line-difference.ts';
import { type RefreshedTopic, refreshTopic } from '../../../../domain/references/lifecycle/refresh-topic.ts';
import {
  putBackTopic,
  type RemovedTopic,
  removeTopic,
} from '../../../../domain/references/lifecycle/removed-topic.ts';
import { fetchLimits } from '../../../../domain/references/tools/reference-tools.ts';
import { findKept } from '../../../../domain/references/topic/find-topic.ts';
import { isGood } from '../../../../domain/references/topic/library.ts';
import { topicId } from '../../../../domain/references/topic/topic.ts';
import type { Action, ActionEnd, Visit } from '../../page.ts';
import { address, differenceView, type Html, html, NOTHING } from '../../parts/html.ts';
import type { Drafts } from '../../sign-ins.ts';

/** Beyond these, files are only named. */
const MOST_FILES = 20;
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_CHARACTERS = 40_000;

interface ChangedFile {
  readonly path: string;
  /** Null where it is not shown. */
  readonly difference: string | null;
}

interface Refresh {
  readonly isDone: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly renamed: readonly string[];
  readonly changed: readonly ChangedFile[];
}

/** The last refresh of this browser, if the address names it. */
export function refreshIn({ drafts, query }: Visit): Refresh | null {
  const kept = parseJson(drafts.get(query.get('refresh') ?? '')?.text ?? 'null');
  // Only `refreshing` keeps drafts of this name, and only on this server.
  return isJsonObject(kept) && Array.isArray(kept.changed) ? (kept as object as Refresh) : null;
}

export function refreshView({ isDone, added, removed, renamed, changed }: Refresh): Html {
  const list = (title: string, paths: readonly string[]) =>
    paths.length === 0
      ? NOTHING
      : html`<h3>${title} ${paths.length}</h3><ul class="tree small">${paths.slice(0, 200).map((path) => html`<li><code>${path}</code></li>`)}</ul>`;
  return html`<section class="card stack" aria-labelledby="refresh"><h2 id="refresh">${isDone ? 'What the refresh changed' : 'What a refresh would change'}</h2>
    ${list('Added', added)}${list('Removed', removed)}${list('Renamed', renamed)}
    ${list(
      'Changed',
      changed.flatMap(({ path, difference }) => (difference === null ? [path] : [])),
    )}
    ${changed.map(({ path, difference }) =>
      difference === null
        ? NOTHING
        : html`<details><summary><code>${path}</code></summary>${differenceView(difference)}</details>`,
    )}</section>`;
}

function refreshing(path: string, dryRun: boolean): Action {
  return {
    path,
    async run(visit, form): Promise<ActionEnd> {
      const { app, signal, place } = visit;
      const id = form.get('id') ?? '';
      const kept = await findKept(app, id);
      const before = dryRun ? new Map<string, string>() : await textsOf(app, kept.slug);
      const input = { topic: id, limits: fetchLimits(app.config.references), dryRun };
      const stop = AbortSignal.any([signal, place.signal]);
      const result = await refreshTopic(app, input, async () => {}, stop);
      const { added, changed, removed, renamed } = result;
      const count = added.length + changed.length + removed.length + renamed.length;
      const to = (refresh?: string) => address('/references/topic', { id, refresh });
      if (count === 0)
        return { to: to(), notice: { kind: 'done', text: 'Nothing has changed at the sources.' } };
      const text = JSON.stringify(await refreshOf(app, { slug: kept.slug, before, result, isDone: !dryRun }));
      const refresh = visit.drafts.keep({ name: id, text });
      const told = dryRun ? 'A refresh would change the topic.' : 'Refreshed.';
      return { to: to(refresh), notice: { kind: 'done', text: told } };
    },
  };
}

async function textsOf({ library }: App, slug: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  let bytes = 0;
  for (const file of (await library.lock(slug)).files) {
    bytes += file.bytes;
    if (bytes > MOST_BYTES) break;
    const content = await library.readFile(slug, file.path);
    if (content) texts.set(file.path, new TextDecoder().decode(content));
  }
  return texts;
}

interface Refreshed {
  readonly slug: string;
  readonly before: ReadonlyMap<string, string>;
  readonly result: RefreshedTopic;
  readonly isDone: boolean;
}

async function refreshOf({ library }: App, { slug, before, result, isDone }: Refreshed): Promise<Refresh> {
  const { added, removed, renamed } = result;
  const changed: ChangedFile[] = [];
  for (const [at, path] of result.changed.entries()) {
    const [old, content] = [before.get(path), isDone && (await library.readFile(slug, path))];
    const isShown = at < MOST_FILES && old !== undefined && content;
    const difference = isShown ? lineDifference(old, new TextDecoder().decode(content)) : null;
    changed.push({ path, difference: difference === null ? null : shortened(difference) });
  }
  return { isDone, added, removed, renamed: renamed.map(({ from, to }) => `${from} to ${to}`), changed };
}

function shortened(difference: string): string {
  const lines = difference.split('\n');
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - 2), at + 3).some((line) => !line.startsWith('  '));
  return lines
    .filter((_, at) => isNear(at))
    .join('\n')
    .slice(0, MOST_CHARACTERS);
}

/** Larger topics are deleted without an undo. */
const MOST_HELD_BYTES = 32 * 1024 * 1024;
const MOST_HELD = 3;

/** The last topics that were deleted in each browser. */
const held = new WeakMap<Drafts, Map<string, RemovedTopic>>();

function hold(drafts: Drafts, topic: RemovedTopic): string {
  const topics = held.get(drafts) ?? new Map<string, RemovedTopic>();
  held.set(drafts, topics);
  const key = drafts.keep({ name: topic.slug, text: '' });
  topics.set(key, topic);
  for (const old of topics.keys()) if (topics.size > MOST_HELD) topics.delete(old);
  return key;
}

export const REFRESH_ACTIONS: readonly Action[] = [
  refreshing('/references/preview', true),
  refreshing('/references/refresh', false),
  {
    path: '/references/delete',
    async run(visit, form) {
      const { app, signal, drafts } = visit;
      const kept = await findKept(app, form.get('id') ?? '');
      const removed = isGood(kept) ? await removeTopic(app, kept, MOST_HELD_BYTES) : undefined;
      if (!isGood(kept)) await app.library.remove(kept.slug);
      await app.referenceIndex.sync({}, signal);
      const notice = { kind: 'done', text: `${topicId(kept)} is deleted.` } as const;
      if (!removed) return { to: '/references', notice };
      const fields = { removed: hold(drafts, removed), back: '/references' };
      return { to: '/references', notice: { ...notice, undo: { path: '/references/bring-back', fields } } };
    },
  },
  {
    path: '/references/bring-back',
    async run({ app, drafts, place }, form) {
      const key = form.get('removed') ?? '';
      const removed = held.get(drafts)?.get(key);
      if (!removed)
        throw new Fault('references/not-found', 'The topic is no longer held in memory.', {
          hint: 'Create it again; its sources may still be there.',
        });
      await putBackTopic(app, removed);
      held.get(drafts)?.delete(key);
      void place.indexing.run();
      return {
        to: address('/references/topic', { id: topicId(removed) }),
        notice: { kind: 'done', text: 'The topic is back.' },
      };
    },
  },
];
