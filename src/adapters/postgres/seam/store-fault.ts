import { Fault, type FaultCode } from '../../../base/fault.ts';

/**
 * Kinds of errors of a connection. `collision`: the transaction was rolled back because of another one. `lost`: the
 * connection ended. `silent`: the server does not answer. `unprepared`: a pooler does not keep prepared statements.
 * `unfit`: a text has a character that PostgreSQL keeps in no text, such as NUL.
 */
export type PostgresProblem =
  | 'collision'
  | 'lost'
  | 'silent'
  | 'unprepared'
  | 'unreachable'
  | 'login'
  | 'denied'
  | 'full'
  | 'crowded'
  | 'slow'
  | 'read-only'
  | 'unfit';

export function problemOf(error: unknown): PostgresProblem | undefined {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined;
  return PROBLEM_OF[error.code] ?? (error.code.startsWith('08') ? 'lost' : undefined);
}

export function connectionLost(): Error {
  return Object.assign(new Error('The connection has ended.'), { code: 'CONNECTION_CLOSED' });
}

const PROBLEM_OF: Readonly<Record<string, PostgresProblem>> = {
  '40001': 'collision', // serialization_failure
  '40P01': 'collision', // deadlock_detected
  CONNECTION_CLOSED: 'lost',
  CONNECTION_DESTROYED: 'lost',
  CONNECTION_ENDED: 'lost',
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  '57P01': 'lost', // admin_shutdown
  '57P02': 'lost', // crash_shutdown
  '57P03': 'lost', // cannot_connect_now
  '25P03': 'lost', // idle_in_transaction_session_timeout
  ETIMEDOUT: 'silent',
  CONNECT_TIMEOUT: 'unreachable',
  ECONNREFUSED: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  ENOENT: 'unreachable',
  EACCES: 'unreachable',
  '26000': 'unprepared', // invalid_sql_statement_name
  '42P05': 'unprepared', // duplicate_prepared_statement
  '25P02': 'unprepared', // in_failed_sql_transaction: the client prepared again after 26000
  '28000': 'login', // invalid_authorization_specification
  '28P01': 'login', // invalid_password
  '3D000': 'login', // invalid_catalog_name
  '42501': 'denied', // insufficient_privilege
  '53100': 'full', // disk_full
  '53200': 'crowded', // out_of_memory
  '53300': 'crowded', // too_many_connections
  '55P03': 'slow', // lock_not_available
  '57014': 'slow', // query_canceled
  '25006': 'read-only', // read_only_sql_transaction
  '22021': 'unfit', // character_not_in_repertoire
  '22P05': 'unfit', // untranslatable_character
};

/** A Fault for errors that a person can fix; others unchanged. `place` names host and database. */
export function storeFault(error: unknown, place: string): unknown {
  const problem = problemOf(error) ?? tlsProblem(error);
  if (problem === undefined || error instanceof Fault) return error;
  const [code, message, hint] = SENTENCES[problem];
  return new Fault(
    code,
    message.replace('PLACE', () => place),
    { hint, cause: error },
  );
}

const LOCAL_WORKS = 'What is in this workspace works without it.';
const TRY_LATER = `Check that PostgreSQL runs there and try again. ${LOCAL_WORKS}`;

const SENTENCES = {
  collision: ['store/busy', 'PLACE is busy: too many change the same thing.', 'Try again in a moment.'],
  lost: ['team/unavailable', 'The connection to PLACE was lost.', TRY_LATER],
  silent: ['team/unavailable', 'PLACE does not answer.', TRY_LATER],
  unprepared: ['team/unavailable', 'PLACE loses prepared statements.', 'Check the pooler in front of it.'],
  unreachable: ['team/unavailable', 'PLACE cannot be reached.', TRY_LATER],
  tls: [
    'team/unavailable',
    'The certificate of PLACE cannot be checked.',
    'Install its authority (NODE_EXTRA_CA_CERTS), or choose another sslmode in team.url.',
  ],
  login: [
    'team/denied',
    'PLACE does not let this user in.',
    'Check user, password and database in team.url.',
  ],
  denied: [
    'team/denied',
    'PLACE does not permit this to the user of team.url.',
    'Ask the administrator of the database for the rights that docs/team.md lists.',
  ],
  full: [
    'store/full',
    'The disk of PLACE is full; nothing was changed.',
    'Tell the administrator of the database.',
  ],
  crowded: ['store/busy', 'PLACE has no room for another connection.', 'Try again in a moment.'],
  slow: ['store/busy', 'PLACE takes too long.', 'Try again in a moment.'],
  'read-only': ['team/denied', 'PLACE is a copy that cannot be written.', 'Name the primary in team.url.'],
  unfit: ['team/invalid', 'A text has a character that PostgreSQL cannot keep.', 'Leave NUL out.'],
} as const satisfies Record<PostgresProblem | 'tls', readonly [FaultCode, string, string]>;

function tlsProblem(error: unknown): 'tls' | undefined {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined;
  return /^(?:CERT_|ERR_TLS_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/.test(error.code) ? 'tls' : undefined;
}
