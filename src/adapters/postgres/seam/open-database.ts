/** Opens the database that `team.url` names. */

import type { Sql } from 'postgres';
import { Fault } from '../../../base/fault.ts';
import { ACCESS_STEPS } from '../access/access-schema.ts';
import { APPROVAL_STEPS } from '../approvals/approvals-schema.ts';
import { CONTENT_STEPS } from '../contents/contents-schema.ts';
import { CONVERSATION_STEPS } from '../conversations/shared-conversations-schema.ts';
import { INDEX_STEPS } from '../index/index-schema.ts';
import { SERVED_STEPS } from '../index/served-state.ts';
import { SUBJECT_STEPS } from '../knowledge-base/shared-topics-schema.ts';
import { CLAIM_STEPS, LEDGER_STEPS } from '../ledger/ledger-schema.ts';
import { REFERENCE_STEPS } from '../references/library-schema.ts';
import { type Database, databaseOver, type Types } from './database.ts';
import { type Migration, migrate } from './migrate.ts';

/** In the order in which databases record them: append only. */
export const MIGRATIONS: readonly Migration[] = [
  ...LEDGER_STEPS,
  ...APPROVAL_STEPS,
  ...INDEX_STEPS,
  ...ACCESS_STEPS,
  ...CLAIM_STEPS,
  ...CONTENT_STEPS,
  ...REFERENCE_STEPS,
  ...SUBJECT_STEPS,
  ...CONVERSATION_STEPS,
  ...SERVED_STEPS,
];

export interface OpenOptions {
  /** Receives every statement with its values. */
  readonly observe?: (sql: string, values: readonly unknown[]) => void;
  readonly migrations?: readonly Migration[];
  readonly deadlineMs?: number;
}

const CONNECT_TIMEOUT_S = 10;
const IDLE_TIMEOUT_S = 20;

export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const { observe, migrations = MIGRATIONS, deadlineMs } = options;
  const target = parseTeamUrl(url);
  const { default: postgres } = await import('postgres');
  const connect = (isPrepared: boolean, onclose: () => void): Sql<Types> =>
    postgres({
      ...target.connection,
      max: 1,
      onclose,
      connect_timeout: CONNECT_TIMEOUT_S,
      idle_timeout: IDLE_TIMEOUT_S,
      prepare: isPrepared,
      // Array types are not used, so their numbers need not be asked for.
      fetch_types: false,
      onnotice: () => {},
      types: {
        bigint: { to: 20, from: [20], serialize: String, parse: Number },
        json: { to: 114, from: [114, 3802], serialize: jsonText, parse: JSON.parse },
      },
      connection: { application_name: 'ken' },
      ...(observe && { debug: (_: number, sql: string, values: unknown[]) => observe(sql, values) }),
    });
  const database = databaseOver({ connect, place: target.place, ...(deadlineMs && { deadlineMs }) });
  try {
    await migrate(database, migrations, target.place);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Halves of characters, which PostgreSQL refuses in JSON, become U+FFFD, as they do in every other text. */
function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return /\\ud[89a-f]/.test(text) ? JSON.stringify(value, (_, part) => wellFormed(part)) : text;
}

function wellFormed(part: unknown): unknown {
  return typeof part === 'string' ? part.toWellFormed() : part;
}

interface Target {
  /** Host and database, without user and password. */
  readonly place: string;
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user?: string;
    readonly pass?: string;
    readonly database?: string;
    readonly ssl: false | 'require' | 'verify-full';
  };
}

const PORT = 5432;

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…`; `?host=/directory` names a socket. Beyond this machine
 * the connection is encrypted and the certificate is checked, unless `sslmode` says otherwise.
 */
export function parseTeamUrl(text: string): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) throw invalid('It does not begin with postgres://');
  const given = (name: string) => url.searchParams.get(name) ?? undefined;
  const host = given('host') ?? (decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost');
  const port = Number(given('port') ?? (url.port || PORT));
  const user = given('user') ?? decodeURIComponent(url.username);
  const pass = given('password') ?? decodeURIComponent(url.password);
  const database = decodeURIComponent(url.pathname.slice(1));
  return {
    place: `${host}${port === PORT ? '' : `:${port}`}${database === '' ? '' : `/${database}`}`,
    connection: {
      host,
      port,
      ...(user !== '' && { user }),
      ...(pass !== '' && { pass }),
      ...(database !== '' && { database }),
      ssl: encryption(given('sslmode'), host),
    },
  };
}

function encryption(mode: string | undefined, host: string): false | 'require' | 'verify-full' {
  const isHere = host.startsWith('/') || /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host);
  switch (mode) {
    case undefined:
      return isHere ? false : 'verify-full';
    case 'disable':
      return false;
    case 'require':
      return 'require';
    case 'verify-full':
      return 'verify-full';
    default:
      throw invalid(`sslmode is disable, require or verify-full, not "${mode}"`);
  }
}

/** Never shows the address, which has a password. */
function invalid(reason: string): Fault {
  return new Fault('config/bad-value', `team.url cannot be used: ${reason}.`, {
    hint: 'Write it as postgres://USER:PASSWORD@HOST/DATABASE.',
  });
}
