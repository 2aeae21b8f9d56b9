import type { SQLOutputValue } from 'node:sqlite';
import type {
  StandingApproval,
  StandingApprovals,
} from '../../../domain/approvals/standing/standing-approval.ts';
import type { Database } from '../seam/database.ts';
import type { Journal } from './decision-log.ts';

export function sqliteStandingApprovals(database: Database, journal?: Journal): StandingApprovals {
  const { statement } = database;
  return {
    add: ({ decision, ...standing }) =>
      database.write(() => {
        const { by, at, through, signature = null } = decision;
        statement('delete from standing_approval where expires <= ?').run(standing.created);
        database.insert('standing_approval', {
          ...standing,
          decided_by: by,
          decided_at: at,
          decided_through: through,
          signature,
        });
        journal?.({ at, act: 'approve', subject: standing.id, digest: standing.digest, by, through });
      }),
    find: ({ workspace, conversation, terminal, digest }, now) =>
      database.read(() => {
        const row = statement(FIND).get({ workspace, conversation, terminal, digest, now });
        return row && standingFrom(row);
      }),
    list: (now) => database.read(() => statement(LIST).all({ now }).map(standingFrom)),
    revoke: (id, { by, at }) =>
      database.write(() => {
        const isGone = statement('delete from standing_approval where id = ?').run(id).changes === 1;
        if (isGone) journal?.({ at, act: 'revoke', subject: id, digest: null, by, through: 'command' });
        return isGone;
      }),
  };
}

// A clock that steps back does not make one valid before it was given.
const VALID = 'created <= :now and :now < expires';
const FIND = `
  select * from standing_approval
  where workspace = :workspace and conversation = :conversation and terminal = :terminal and digest = :digest
    and ${VALID}
  order by created desc, id desc limit 1`;
const LIST = `select * from standing_approval where ${VALID} order by created desc, id desc`;

function standingFrom(row: Record<string, SQLOutputValue>): StandingApproval {
  const text = (name: string) => String(row[name]);
  return {
    id: text('id'),
    workspace: text('workspace'),
    conversation: text('conversation'),
    terminal: text('terminal'),
    tool: text('tool'),
    covers: text('covers'),
    digest: text('digest'),
    created: Number(row.created),
    expires: Number(row.expires),
    decision: {
      by: text('decided_by'),
      at: Number(row.decided_at),
      through: 'terminal',
      ...(typeof row.signature === 'string' && { signature: row.signature }),
    },
  };
}
