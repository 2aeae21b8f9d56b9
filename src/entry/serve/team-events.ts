/** Live updates for browsers, whichever process made the change. */

import { getCookie } from 'hono/cookie';
import { streamSSE } from 'hono/streaming';
import { Fault } from '../../base/fault.ts';
import { hashOf } from './authenticate.ts';
import type { Serving } from './serving.ts';
import { COOKIE, type TeamEvents, type TeamHono, type TeamPages } from './team-frame.ts';

export async function teamEvents({ team }: Pick<Serving, 'team'>): Promise<TeamEvents> {
  const waiting = new Set<{ readonly workspace: string; wake(): void }>();
  const listening = await team.hasNotices((workspace) => {
    for (const each of [...waiting]) if (workspace === undefined || each.workspace === workspace) each.wake();
  });
  return {
    next: (workspace, ms) =>
      new Promise((resolve) => {
        const entry = {
          workspace,
          wake() {
            clearTimeout(timer);
            waiting.delete(entry);
            resolve();
          },
        };
        const timer = setTimeout(() => entry.wake(), ms);
        timer.unref();
        waiting.add(entry);
      }),
    async close() {
      for (const each of [...waiting]) each.wake();
      await listening.close();
    },
  };
}

/** Most event streams of one process. */
const MOST_STREAMS = 2_000;
const LOOK_MS = 15_000;

export function addTeamEvents(hono: TeamHono, { serving, events }: TeamPages): void {
  let open = 0;
  hono.get('/events', (context) => {
    if (open >= MOST_STREAMS) return context.text('Too many tabs listen.\n', 503, { 'retry-after': '30' });
    const { app, workspace } = context.get('entry');
    const cookie = hashOf(getCookie(context, COOKIE) ?? '');
    open += 1;
    return streamSSE(context, async (stream) => {
      try {
        let sent = context.req.header('last-event-id') ?? '';
        while (!stream.aborted && !stream.closed && !serving.signal.aborted) {
          // Listens before it reads, so that no change is missed.
          const changed = events.next(workspace, LOOK_MS);
          const isSignedIn = await serving.team.access.sessionBy(cookie, app.clock.now());
          if (!isSignedIn) break;
          const pending = await app.approvals.list({ statuses: ['pending'], limit: 100 }, app.clock.now());
          const revision = await app.ledger.revision(Math.floor(app.clock.now() / 1000));
          const data = JSON.stringify({
            waiting: pending.length,
            approvals: pending.map(({ id }) => id),
            jobs: [],
            revision,
          });
          const id = app.hasher.sha256(data).slice(0, 16);
          if (id === sent) await stream.writeSSE({ event: 'ping', data: '' });
          else await stream.writeSSE({ id, event: 'state', data });
          sent = id;
          await changed;
        }
      } catch (error) {
        // The browser reconnects, perhaps to a process that can reach the database.
        if (!(error instanceof Fault)) serving.report(error);
      } finally {
        open -= 1;
      }
    });
  });
}
