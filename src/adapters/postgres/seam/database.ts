import type { Sql } from 'postgres';
import { Fault } from '../../../base/fault.ts';
import { connectionLost, type PostgresProblem, problemOf, storeFault } from './store-fault.ts';

/** Numbers of PostgreSQL's `bigint` are read as numbers. */
export type Types = { bigint: number; json: unknown };

/** The statements of one transaction. */
export type Transaction = Sql<Types>;

/** The owner of the rows that a store reads and writes. */
export interface Tenant {
  readonly team: string;
  readonly workspace: string;
}

/** Connections to one PostgreSQL database, shared by the stores of a process. */
export interface Database {
  /** One reading transaction: `work` sees a single state. May run again. */
  read<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /**
   * One writing transaction, durable when the promise is fulfilled. Each statement sees what others committed before
   * it. May run again when it collided with another one or the connection was lost before the commit.
   */
  write<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /** A writing transaction without limits of time, for work on whole tables. */
  maintain<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface Pauses {
  /** From 0 up to, but not including, 1. */
  random(): number;
  wait(milliseconds: number): Promise<void>;
}

export const systemPauses: Pauses = {
  random: Math.random,
  wait: async (milliseconds) => (await import('node:timers/promises')).setTimeout(milliseconds),
};

export interface Connecting {
  /**
   * A client with a single connection. With `isPrepared` the server keeps its statements, which not every pooler
   * allows. `onClose` is called when the connection has ended.
   */
  connect(isPrepared: boolean, onClose: () => void): Sql<Types>;
  /** Host and database, without user and password. */
  readonly place: string;
  readonly pauses?: Pauses;
  /** For each statement; the server's own limits are below it. */
  readonly deadlineMs?: number;
}

interface Mode {
  readonly isolation: string;
  readonly limits: string;
  readonly isWriting: boolean;
  /** In place of the database's own. */
  readonly deadlineMs?: number;
}

/** Set within the transaction, because a pooler does not keep the settings of a connection. */
const LIMITS =
  'set local statement_timeout = 30000; set local lock_timeout = 20000; ' +
  'set local idle_in_transaction_session_timeout = 60000';
const DEADLINE_MS = 90_000;

/** Only the wait for a lock has a limit. */
const MAINTAINING =
  'set local statement_timeout = 0; set local lock_timeout = 20000; ' +
  'set local idle_in_transaction_session_timeout = 0';
const DAY_MS = 86_400_000;

const READ: Mode = {
  isolation: 'isolation level repeatable read read only',
  limits: LIMITS,
  isWriting: false,
};
const WRITE: Mode = { isolation: 'isolation level read committed', limits: LIMITS, isWriting: true };
const MAINTAIN: Mode = { ...WRITE, limits: MAINTAINING, deadlineMs: DAY_MS };

export function databaseOver({
  connect,
  place,
  pauses = systemPauses,
  deadlineMs = DEADLINE_MS,
}: Connecting): Database {
  const lanes = lanesOver(connect);

  async function attempt<T>(
    mode: Mode,
    work: (sql: Transaction) => Promise<T>,
    progress: { isCommitting: boolean },
  ): Promise<T> {
    const lane = await lanes.take();
    try {
      const result = await inTime(lane, transact(lane, mode, work, progress), mode.deadlineMs ?? deadlineMs);
      lanes.giveBack(lane);
      return result;
    } catch (error) {
      // A connection in doubt is not used again.
      if (lane.isLost || IN_DOUBT.has(problemOf(error))) lanes.drop(lane);
      else lanes.giveBack(lane);
      throw error;
    }
  }

  async function run<T>(mode: Mode, work: (sql: Transaction) => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures++) {
      const progress = { isCommitting: false };
      try {
        return await attempt(mode, work, progress);
      } catch (error) {
        const problem = problemOf(error);
        const isInDoubt =
          mode.isWriting && progress.isCommitting && (problem === 'lost' || problem === 'silent');
        if (isInDoubt) throw unknownOutcome(place, error);
        if (problem === 'unprepared' && lanes.stopPreparing()) continue;
        if (!isRepeatable(error, failures)) throw storeFault(error, place);
      }
      await pauses.wait(pauseAfter(failures, pauses));
    }
  }

  return {
    read: (work) => run(READ, work),
    write: (work) => run(WRITE, work),
    maintain: (work) => run(MAINTAIN, work),
    close: () => lanes.close(),
  };
}

const IN_DOUBT: ReadonlySet<PostgresProblem | undefined> = new Set([
  ...(['lost', 'silent', 'unprepared', 'unreachable'] as const),
]);

/** A connection that one transaction at a time uses. */
interface Lane {
  readonly client: Sql<Types>;
  isLost: boolean;
  /** Called when the connection has ended. */
  onLost(): void;
  /** When the last statement began, as `performance.now` tells it. */
  usedAt: number;
}

const MOST_LANES = 4;

/**
 * Connections of our own count, instead of the client's pool: that one goes on using a connection that ended in the
 * middle of a transaction, which ends the process or never answers (https://github.com/porsager/postgres/issues/1208).
 */
function lanesOver(connect: Connecting['connect']) {
  const idle: Lane[] = [];
  const all = new Set<Lane>();
  const waiting: (() => void)[] = [];
  let isPrepared = true;

  function newLane(): Lane {
    const lane: Lane = {
      client: connect(isPrepared, () => {
        lane.isLost = true;
        lane.onLost();
      }),
      isLost: false,
      onLost() {},
      usedAt: 0,
    };
    all.add(lane);
    return lane;
  }

  function drop(lane: Lane): void {
    all.delete(lane);
    void lane.client.end({ timeout: 0 });
    waiting.shift()?.();
  }

  return {
    async take(): Promise<Lane> {
      while (idle.length === 0 && all.size >= MOST_LANES)
        await new Promise<void>((resolve) => waiting.push(resolve));
      const lane = idle.pop() ?? newLane();
      // A connection that ended while it was idle is opened again.
      lane.isLost = false;
      lane.usedAt = performance.now();
      return lane;
    },
    giveBack(lane: Lane): void {
      idle.push(lane);
      waiting.shift()?.();
    },
    drop,
    /** False when nothing is prepared already. */
    stopPreparing(): boolean {
      if (!isPrepared) return false;
      isPrepared = false;
      for (const lane of idle.splice(0)) drop(lane);
      return true;
    },
    async close(): Promise<void> {
      await Promise.all([...all].map(({ client }) => client.end({ timeout: 5 })));
    },
  };
}

async function transact<T>(
  lane: Lane,
  { isolation, limits }: Mode,
  work: (sql: Transaction) => Promise<T>,
  progress: { isCommitting: boolean },
): Promise<T> {
  const sql = guarded(lane);
  await sql.unsafe(`begin ${isolation}; ${limits}`);
  let result: T;
  try {
    result = await work(sql);
  } catch (error) {
    if (!lane.isLost)
      await sql.unsafe('rollback').catch(() => {
        lane.isLost = true;
      });
    throw error;
  }
  progress.isCommitting = true;
  await sql.unsafe('commit');
  return result;
}

/** The client, except that it does not connect again in the middle of a transaction. */
function guarded(lane: Lane): Transaction {
  const check = () => {
    if (lane.isLost) throw connectionLost();
    lane.usedAt = performance.now();
  };
  return new Proxy(lane.client, {
    apply(client, self, input: unknown[]) {
      check();
      return Reflect.apply(client, self, input);
    },
    get(client, name) {
      check();
      return Reflect.get(client, name);
    },
  });
}

/**
 * Rejects when the lane began no statement for so long, or its connection has ended: the client may leave a statement
 * that it has sent without an answer then.
 */
async function inTime<T>(lane: Lane, work: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('There was no answer in time.'), { code: 'ETIMEDOUT' });
    const look = () => {
      const left = lane.usedAt + deadlineMs - performance.now();
      if (left <= 0) reject(error);
      else timer = setTimeout(look, left);
    };
    look();
    lane.onLost = () => {
      clearTimeout(timer);
      timer = setTimeout(() => reject(connectionLost()), OWN_ERROR_MS);
    };
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
    lane.onLost = () => {};
  }
}

/** Time for the client's own error, which says more. */
const OWN_ERROR_MS = 100;

const MOST_COLLISIONS = 30;
const MOST_LOSSES = 3;

function isRepeatable(error: unknown, failures: number): boolean {
  const problem = problemOf(error);
  if (problem === 'collision') return failures < MOST_COLLISIONS;
  return problem === 'lost' && failures < MOST_LOSSES;
}

const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 500;

/** Random, below a limit that doubles, so that two processes do not collide again. */
function pauseAfter(failures: number, pauses: Pauses): number {
  const ceiling = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** failures);
  return Math.ceil(pauses.random() * ceiling);
}

function unknownOutcome(place: string, cause: unknown): Fault {
  return new Fault(
    'team/unknown-outcome',
    `The connection to ${place} was lost while a change was saved; it may have been saved.`,
    { hint: 'Look whether it is there before you repeat it.', cause },
  );
}
