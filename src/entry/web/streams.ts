/** Answers that are no pages: the stream of events, and files as they are. */

import { streamSSE } from 'hono/streaming';
import { Fault } from '../../base/fault.ts';
import { conversationLines } from '../../domain/conversations/export-conversation.ts';
import { findConversation } from '../../domain/conversations/find-conversation.ts';
import { transcript } from '../../domain/conversations/transcript.ts';
import { offeredKnowledge } from '../../domain/knowledge-base/topic.ts';
import { citedWith, requireCitation } from '../../domain/search/citations/citation.ts';
import { showCitation } from '../../domain/search/citations/show-citation.ts';
import { type WebPlace, workspaceOf } from './page.ts';
import type { SignIns } from './sign-ins.ts';
import type { WebHono } from './web-routes.ts';

/** More tabs than a person looks at. */
const MOST_STREAMS = 256;
const LOOK_MS = 1_000;
const PING_MS = 15_000;
const BURST_MS = 150;

export function addStreams(
  hono: WebHono,
  place: WebPlace,
  { isSignedIn }: Pick<SignIns, 'isSignedIn'>,
): void {
  const look = lookingAt(place);
  let open = 0;
  // A stream is begun for a GET alone: the answer to a HEAD has no body whose end would be noticed.
  for (const path of ['/events', '/conversations/turn/events'])
    hono.use(path, async (context, next) =>
      context.req.raw.method === 'HEAD' ? context.body(null, 405) : next(),
    );
  hono.get('/events', (context) => {
    if (open >= MOST_STREAMS) return context.text('Too many tabs listen.\n', 503, { 'retry-after': '30' });
    open += 1;
    return streamSSE(context, async (stream) => {
      stream.onAbort(() => wake());
      let wake = () => {};
      try {
        let sent = context.req.header('last-event-id') ?? '';
        let pinged = place.app.clock.now();
        const goesOn = () => !stream.aborted && !stream.closed && !place.signal.aborted;
        while (goesOn() && isSignedIn(context.get('signIn'))) {
          const { id, data } = await look();
          const now = place.app.clock.now();
          if (id !== sent) {
            await stream.writeSSE({ id, event: 'state', data });
            [sent, pinged] = [id, now];
          } else if (now - pinged > PING_MS) {
            await stream.writeSSE({ event: 'ping', data: '' });
            pinged = now;
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
            setTimeout(resolve, LOOK_MS).unref();
          });
        }
      } finally {
        open -= 1;
      }
    });
  });
  hono.get('/conversations/turn/events', (context) => {
    const key = context.req.query('key') ?? '';
    if (open >= MOST_STREAMS || !place.turns.get(key)) return context.text('No such turn.\n', 404);
    open += 1;
    return streamSSE(context, async (stream) => {
      const left = new AbortController();
      stream.onAbort(() => left.abort());
      try {
        const goesOn = () => !left.signal.aborted && !place.signal.aborted;
        for (let sent = -1; goesOn() && isSignedIn(context.get('signIn')); ) {
          const turn = place.turns.get(key);
          if (turn && turn.revision !== sent) {
            sent = turn.revision;
            await stream.writeSSE({ id: String(sent), event: 'turn', data: turn.end ? 'ended' : 'changed' });
          }
          if (!turn || turn.end) break;
          // Words come in bursts; a few updates a second are enough for a reader.
          await pause(BURST_MS);
          if (place.turns.get(key)?.revision === sent) await place.turns.changed(key, left.signal);
        }
      } finally {
        open -= 1;
      }
    });
  });
  addExports(hono, place);
  hono.get('/cite/raw', async (context) => {
    const citation = citedWith(requireCitation(context.req.query('uri') ?? ''), context.req.query('sha256'));
    const { lines: _, ...whole } = citation;
    const { text, path } = await showCitation(place.app, offeredKnowledge(place.app), whole);
    const name = (path ?? 'text.txt').split('/').at(-1) ?? 'text.txt';
    return context.body(text, 200, {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    });
  });
}

function addExports(hono: WebHono, place: WebPlace): void {
  hono.get('/conversations/export', async (context) => {
    const app = workspaceOf(place);
    const { id, metadata } = await findConversation(app, context.req.query('id') ?? '');
    const events = (await app.conversations.log(id))?.events ?? [];
    const isLines = context.req.query('format') === 'jsonl';
    const text = isLines
      ? [...conversationLines(id, metadata, events)].join('\n')
      : transcript(events, { title: metadata.title, tools: true, reasoning: false });
    return context.body(`${text}\n`, 200, {
      'content-type': `${isLines ? 'application/jsonl' : 'text/markdown'}; charset=utf-8`,
      'content-disposition': `attachment; filename="${id}.${isLines ? 'jsonl' : 'md'}"`,
    });
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

interface Look {
  /** Changes with the data, so that a stream that was cut goes on where it was. */
  readonly id: string;
  readonly data: string;
}

/** Every stream sees the same state; it is read once for all of them. */
function lookingAt({ app, indexing, report }: WebPlace): () => Promise<Look> {
  let last: Promise<Look> | undefined;
  let since = Number.NEGATIVE_INFINITY;
  let known: Look = { id: '', data: '' };
  const read = async (): Promise<Look> => {
    try {
      const now = app.clock.now();
      const [pending, jobs] = await Promise.all([
        app.approvals.list({ statuses: ['pending'], limit: 100 }, now),
        app.jobs.list({ isRunning: true, limit: 20 }),
      ]);
      const data = JSON.stringify({
        waiting: pending.length,
        approvals: pending.map(({ id }) => id),
        jobs: jobs.map(({ id, progress }) => ({ id, progress: progress ?? null })),
        indexing: indexing.revision(),
      });
      known = { id: app.hasher.sha256(data).slice(0, 16), data };
    } catch (error) {
      // A busy database: the next look may find it free.
      if (!(error instanceof Fault)) report(error);
    }
    return known;
  };
  return () => {
    const now = app.clock.now();
    if (last === undefined || Math.abs(now - since) >= LOOK_MS - 100) {
      since = now;
      last = read();
    }
    return last;
  };
}
