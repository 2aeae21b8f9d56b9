import type { Hasher } from '../../../base/hasher.ts';
import type { IdSource } from '../../../base/ids.ts';
import { canonicalJson } from '../../../base/json.ts';
import { singleLine, truncateText } from '../../../base/terminal-text.ts';
import type { Clock } from '../../../base/time.ts';
import type { ApprovalRequest, Decision } from '../approval.ts';
import type { OfferedStanding } from '../approver.ts';
import type { StandingApprovals } from './standing-approval.ts';

export interface StandingPorts {
  readonly standingApprovals?: StandingApprovals;
  readonly operator?: { terminal(): Promise<string | undefined> };
  readonly clock: Clock;
  readonly hasher: Hasher;
  readonly ids: Pick<IdSource, 'token'>;
  readonly config: { readonly approvals: { readonly expires_hours: number } };
}

/** Standing approvals of one request, at this terminal. */
export interface StandingDesk {
  readonly offered: OfferedStanding;
  /** The decision that covers the request. */
  find(): Promise<Decision | undefined>;
  add(decision: Decision): Promise<void>;
}

const ID_BYTES = 6;
const HOUR_MS = 3_600_000;
const MOST_HOURS = 8;
const LONGEST_COVERS = 300;

/** Undefined where nothing may be approved for longer: the request offers nothing, or the terminal cannot be told. */
export async function standingDesk(
  ports: StandingPorts,
  { standing, workspace, reason }: ApprovalRequest,
): Promise<StandingDesk | undefined> {
  const { standingApprovals, operator, clock, ids, hasher, config } = ports;
  if (!standing || !standingApprovals || workspace === undefined || reason.type !== 'tool_run')
    return undefined;
  const terminal = await operator?.terminal();
  if (terminal === undefined) return undefined;
  const { conversation, tool, definition } = standing;
  const covers = truncateText(singleLine(standing.covers), LONGEST_COVERS);
  const digest = hasher.sha256(canonicalJson(['ken-standing-1', tool, definition]));
  const covered = { workspace, conversation, terminal, digest };
  const hours = Math.min(MOST_HOURS, config.approvals.expires_hours);
  return {
    offered: { covers, hours },
    async find() {
      const now = clock.now();
      const found = await standingApprovals.find(covered, now);
      return found && { by: found.decision.by, at: now, through: 'conversation' };
    },
    async add(decision) {
      const created = clock.now();
      const expires = created + hours * HOUR_MS;
      const id = ids.token(ID_BYTES);
      await standingApprovals.add({ ...covered, id, tool, covers, created, expires, decision });
    },
  };
}
