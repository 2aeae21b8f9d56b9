import type { WorkspaceApp } from '../../app.ts';
import type { JsonObject } from '../../base/json.ts';
import { type WorkState, workState } from '../../domain/approvals/work-state.ts';
import { failure, success, type Tool } from '../../domain/tools/tool.ts';
import { type ToolShape, unattendedTool } from '../../domain/tools/unattended-tool.ts';

export function jobStatusTool(app: WorkspaceApp): Tool {
  return unattendedTool({
    name: 'job_status',
    reach: 'read',
    shape: JOB_STATUS,
    faults: [],
    shown: ({ id }) => `${id}`,
    async call({ id }) {
      const state = await workState(app, String(id), app.workspace.root);
      if (!state) return { outcome: failure(`This workspace has no job and no request "${id}".`) };
      return { outcome: success(stateText(state)), data: stateData(state) };
    },
  });
}

const STATUSES = [
  'pending',
  'approved',
  'denied',
  'consumed',
  'expired',
  'running',
  'done',
  'failed',
  'cancelled',
  'interrupted',
];

const JOB_STATUS: ToolShape = {
  description:
    'The state of a job, or of a request that waits for the operator: running, done with its result, failed, cancelled, ' +
    'interrupted, pending, denied, expired.',
  properties: { id: { type: 'string', description: 'The id that the call answered with.' } },
  required: ['id'],
  output: {
    text: { type: 'string', description: 'How it stands, and what to do next.' },
    id: { type: 'string' },
    status: { type: 'string', enum: STATUSES },
    title: { type: 'string' },
    progress: {
      type: 'object',
      properties: { phase: { type: 'string' }, done: { type: 'number' }, total: { type: 'number' } },
      required: ['phase', 'done'],
    },
    message: { type: 'string', description: 'What there is to say about how it ended.' },
    data: { type: 'object', description: 'What the call would have answered.' },
  },
};

function stateData(state: WorkState): JsonObject {
  const { id, status, title, progress, result, message } = state;
  const said = result?.message ?? message;
  return {
    text: standingLines(state).join('\n'),
    id,
    status,
    title,
    ...(progress && { progress: { ...progress } }),
    ...(said !== undefined && { message: said }),
    ...(result && { data: result.data }),
  };
}

function stateText(state: WorkState): string {
  const [first = '', ...lines] = standingLines(state);
  const said = state.result?.message ?? state.message;
  return [`${first} ${state.title}`, ...lines, ...(said === undefined ? [] : [said])].join('\n');
}

/** Without the title and the result, which are members of their own in the data. */
function standingLines({ id, status, progress }: WorkState): readonly string[] {
  const lines = [`${id}: ${status}.`];
  if (status === 'pending') lines.push(`The operator decides with "ken approvals approve ${id}".`);
  if (status === 'approved') lines.push('Make the same call again: the approval covers it once.');
  if (status === 'running' && progress) {
    const { phase, done, total } = progress;
    lines.push(total === undefined ? `${phase}: ${done}` : `${phase}: ${done} of ${total}`);
  }
  return lines;
}
