/** Tells the processes of a team that something has changed. What has changed, they read themselves. */

import type { Database } from './database.ts';
import { parseTeamUrl } from './open-database.ts';

const CHANNEL = 'ken_changed';

/** The database, except that each change of it is told to those who listen. */
export function noticed(database: Database, about: string): Database {
  return {
    ...database,
    write: (work) =>
      database.write(async (sql) => {
        const result = await work(sql);
        await sql`select pg_notify(${CHANNEL}, ${about})`;
        return result;
      }),
  };
}

export interface Listening {
  /** `polling`: notices do not arrive, as through a pooler in transaction mode; look every 30 s. */
  readonly kind: 'notified' | 'polling';
  close(): Promise<void>;
}

export interface ListenInput {
  readonly url: string;
  readonly database: Database;
  /** Not secret, and different for each listener. */
  readonly name: string;
  /** Called with what a notice is about; without it when notices may have been lost. */
  onNotice(about: string | undefined): void;
}

const TEST_MS = 3_000;
const POLL_MS = 30_000;

export async function listen({ url, database, name, onNotice }: ListenInput): Promise<Listening> {
  const { default: postgres } = await import('postgres');
  const client = postgres({
    ...parseTeamUrl(url).connection,
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'ken' },
  });
  const poll = setInterval(() => onNotice(undefined), POLL_MS);
  poll.unref();
  const close = async () => {
    clearInterval(poll);
    await client.end({ timeout: 1 });
  };
  const probe = `probe ${name}`;
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('No notice arrived.')), TEST_MS);
      const arrived = (about: string) => {
        if (about === probe) {
          clearTimeout(timer);
          resolve();
        } else if (!about.startsWith('probe ')) onNotice(about);
      };
      // After a new connection, what was said in between is not repeated.
      const connected = () => onNotice(undefined);
      client
        .listen(CHANNEL, arrived, connected)
        .then(() => database.write((sql) => sql`select pg_notify(${CHANNEL}, ${probe})`))
        .catch(reject);
    });
    return { kind: 'notified', close };
  } catch {
    await client.end({ timeout: 1 });
    return { kind: 'polling', close };
  }
}
