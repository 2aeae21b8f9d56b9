import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import { openPty, ptyProblem } from '../cli/pty.ts';
import { type Asking, asking } from '../recorded/asking.ts';
import { calling, saying } from './scripted-replies.ts';

const TOOL = [
  '[conversation.tools.mark]',
  'source = "local"',
  'command = "touch marked"',
  'description = "Leaves a mark."',
  'run = "ask"',
  '[conversation.tools.mark.parameters]',
  '',
].join('\n');
const APPROVE = 'Approve? yes / no / more: ';
const IN_TURN = 'Approve? yes / conversation / no / more: ';
const QUESTION = "Run tool 'mark'? touch marked";
const problem = ptyProblem();

/** A model that calls `mark`, and then says what it sees. */
function marking(user = ''): Promise<Asking> {
  const replies = [calling([{ name: 'mark', arguments: {} }]), saying('Done.')];
  return asking('llamacpp', [...replies, ...replies, ...replies], '', `${TOOL}${user}`);
}

const hasRun = ({ root }: Asking) => existsSync(path.join(root, 'marked'));
const approvals = (box: Asking) => box.events().filter(({ type }) => type === 'approval');
const withoutIds = (text: string) => text.replaceAll(/\b[0-9a-f]{12}\b/g, 'ID');

async function shown(box: Asking): Promise<string[]> {
  const { stdout } = await box.ken(['c', 'show', '@last']);
  return withoutIds(stdout)
    .split('\n')
    .filter((line) => line.startsWith('approval'));
}

it('without a terminal an ask tool does not run, and the log says what waits', async () => {
  const box = await marking();
  const { code, stdout, stderr } = await box.ken(['q', 'Go.']);
  expect({ code, stdout, stderr: withoutIds(stderr) }).toEqual({
    code: 4,
    stdout: 'Done.\n',
    stderr: [
      '→ mark touch marked',
      '✗ mark: APPROVAL_REQUIRED:TOOL_RUN:{"arguments":{},"tool":"mark"}',
      'Waiting for approval: ID. Run "ken approvals show ID".',
      '',
    ].join('\n'),
  });
  expect(hasRun(box)).toBe(false);
  const [waiting] = JSON.parse((await box.ken(['approvals', 'ls', '--json'])).stdout).approvals;
  expect(approvals(box)).toEqual([
    {
      type: 'approval',
      at: expect.any(String),
      id: waiting.id,
      decision: 'pending',
      summary: QUESTION,
      call: 'call_1',
    },
  ]);
  expect(box.events().map(({ type }) => type)).toEqual([
    'turn_start',
    'user_message',
    'assistant_message',
    'tool_call',
    'approval',
    'tool_result',
    'assistant_message',
  ]);
  expect(await shown(box)).toEqual([`approval  pending: ${QUESTION} (ID)`]);
  const printed = (await box.ken(['c', 'print', '@last', '--tools'])).stdout;
  expect(printed).toContain(`\n_Waiting for approval: ${QUESTION}_\n`);
});

it('what the operator’s own config file allows is told as that', async () => {
  const box = await marking('[approvals]\nnoninteractive = "allow"\n');
  const { code, stdout } = await box.ken(['q', '--json', 'Go.']);
  const told = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect({ code, types: told.map(({ type }) => type) }).toEqual({
    code: 0,
    types: ['turn-start', 'tool-call', 'approval', 'tool-result', 'text-delta', 'turn-end'],
  });
  expect(told[2].approval).toMatchObject({
    decision: 'approved',
    by: 'approvals.noninteractive',
    through: 'config',
  });
  expect(approvals(box)).toEqual([told[2].approval]);
  expect(await shown(box)).toEqual([`approval  approved by approvals.noninteractive: ${QUESTION} (ID)`]);
});

it.each([
  ['pending', 4, ''],
  ['approved', 0, '[approvals]\nnoninteractive = "allow"\n'],
])('a tool that asks by itself says what came of it: %s', async (decision, code, user) => {
  const given = {
    source_entry_id: 'ports',
    evidence_refs: ['commit:abc'],
    reason: 'agreed',
    as: 'procedural/ports',
  };
  const replies = [calling([{ name: 'knowledge_promote', arguments: given }]), saying('Done.')];
  const box = await asking('llamacpp', replies, '', user);
  const entry = ['--title', 'Ports', '--text', 'Use 8080.', '--provenance', 'commit:abc', '--id', 'ports'];
  expect((await box.ken(['k', 'add', ...entry])).code).toBe(0);
  expect((await box.ken(['q', 'Go.'])).code).toBe(code);
  expect(approvals(box)).toMatchObject([
    { decision, summary: "Promote knowledge entry 'ports'?", call: 'call_1' },
  ]);
  const types = box.events().map(({ type }) => type);
  expect(types.indexOf('approval')).toBe(types.indexOf('tool_result') - 1);
});

it('a command gets the labels that are exposed to tools, and no others', async () => {
  const tool = [
    '[conversation]',
    'expose_to_tools = ["branch"]',
    '[conversation.tools.note]',
    'source = "local"',
    'command = "sh -c \'cat > call.json; printf %s $0 > word\' {{context.labels.branch}}"',
    'run = "unattended"',
    '[conversation.tools.note.parameters]',
    '',
  ].join('\n');
  const replies = [calling([{ name: 'note', arguments: {} }]), saying('Done.')];
  const box = await asking('llamacpp', replies, '', tool);
  expect(await box.ken(['q', '--label', 'branch=main', '--label', 'secret=x', 'Go.'])).toMatchObject({
    code: 0,
  });
  const { context } = JSON.parse(readFileSync(path.join(box.root, 'call.json'), 'utf8'));
  expect(context.labels).toEqual({ branch: 'main' });
  expect(readFileSync(path.join(box.root, 'word'), 'utf8')).toBe('main');
});

describe.skipIf(problem)(`at a terminal${problem ? ` (${problem})` : ''}`, () => {
  it.each([
    ['yes', 'approved', true],
    ['no', 'denied', false],
  ])('%s is in the log as %s', async (answer, decision, runs) => {
    const box = await marking();
    const { code } = await atTerminal(box, ['q', 'Go.'], [{ after: IN_TURN, keys: `${answer}\r` }], {
      environment: { TEST_KEY: 'secret' },
    });
    expect({ code, runs: hasRun(box) }).toEqual({ code: 0, runs });
    expect(approvals(box)).toMatchObject([{ decision, through: 'terminal', call: 'call_1' }]);
  });

  it('what was approved later runs when it is asked for again, once', async () => {
    const box = await marking();
    await box.ken(['q', 'Go.']);
    const [waiting] = approvals(box);
    const id = waiting?.type === 'approval' ? waiting.id : '';
    await atTerminal(box, ['approvals', 'approve', id], [{ after: APPROVE, keys: 'yes\r' }]);
    expect((await box.ken(['q', 'Again.'])).code).toBe(0);
    expect(hasRun(box)).toBe(true);
    expect(approvals(box)).toMatchObject([
      { id, decision: 'pending' },
      { id, decision: 'approved', through: 'terminal' },
    ]);
  });

  it('a yes for the conversation covers its next turn in this terminal, is listed, and ends when revoked', async () => {
    const box = await marking();
    const lines = [
      'ken q Go.',
      'rm marked',
      'ken q Again.',
      'test -e marked && echo MARKED',
      'ken approvals ls',
      'ken approvals revoke --all',
      'ken q "Once more."',
    ];
    const pty = openPty(lines.join('; '), {
      directory: box.root,
      columns: 120,
      environment: { HOME: box.home, KEN_HOME: box.home, TERM: 'dumb', TEST_KEY: 'secret' },
    });
    await pty.waitFor('touch marked\r\n');
    await pty.waitFor(IN_TURN);
    pty.type('conversation\r');
    await pty.waitFor(IN_TURN);
    pty.type('no\r');
    const { code, output } = await pty.ended();
    expect(code).toBe(0);
    const text = withoutIds(output.replaceAll('\r', ''));
    expect(text).toContain(
      '│ "conversation" also approves, in this conversation and terminal for 8 h:\n│ » touch marked\n',
    );
    expect(text).toContain('MARKED\n');
    expect(text).toMatch(/\b[0-9a-f]{6} +in \d hours +[0-9a-z]+ +mark: touch marked/);
    expect(text).toContain('Revoked ID: touch marked\n');
    expect(approvals(box)).toMatchObject([
      { decision: 'approved', through: 'terminal' },
      { decision: 'approved', through: 'conversation' },
      { decision: 'denied', through: 'terminal' },
    ]);
  });
});
