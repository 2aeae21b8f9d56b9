import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { atTerminal } from '../cli/at-terminal.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { ptyProblem } from '../cli/pty.ts';
import { formToken, ownForm, type ServedPage, servePage, signIn } from '../page/serve-page.ts';
import { connect, ERAS, type Era, ODD_SERVER, type TransportKind, textOf } from './connect.ts';

const CALL = { name: 'asks', arguments: {} };
const FORMS = { elicitation: { form: {} } };

/** A client that answers whatever it is asked, as an assistant could that answers for itself. */
function answering(answer: ElicitResult) {
  const questions: string[] = [];
  return {
    questions,
    prepare: (client: Client) =>
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        questions.push(params.message);
        return answer;
      }),
  };
}

const YES: ElicitResult = { action: 'accept', content: { approve: true } };

function trusting(place: Sandbox, names: readonly string[]): Sandbox {
  mkdirSync(path.join(place.home, 'config'), { recursive: true });
  writeOwnConfig(place.home, `mcp.trusted_clients = ${JSON.stringify(names)}\n`);
  return place;
}

async function odd(
  place: Sandbox,
  era: Era,
  name: string,
  answer: ElicitResult,
  transport: TransportKind = 'stdio',
) {
  const { questions, prepare } = answering(answer);
  const { client } = await connect(place, {
    era,
    name,
    transport,
    words: [],
    program: ODD_SERVER,
    capabilities: FORMS,
    prepare,
  });
  return { client, questions };
}

async function approvalsOf(
  place: Sandbox,
): Promise<{ id: string; status: string; actor: string; decision: unknown }[]> {
  return JSON.parse((await place.ken(['approvals', 'ls', '--all', '--json'])).stdout).approvals;
}

describe.each(ERAS)('with a client of $revision', (era) => {
  it('leaves it to the operator, whatever a client says for itself', async () => {
    const place = sandboxHere('');
    const { client, questions } = await odd(place, era, 'eager', YES);
    const answer = await client.callTool(CALL);
    const [approval] = await approvalsOf(place);
    expect(approval).toMatchObject({ status: 'pending', actor: 'eager' });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toBe(
      'APPROVAL_REQUIRED:TOOL_RUN:{"arguments":{},"tool":"asks"}\n' +
        `Pending, id ${approval?.id}: only the operator can decide, by running "ken approvals approve ${approval?.id}" ` +
        `in a terminal. Tell them so. job_status {"id":"${approval?.id}"} says what came of it.`,
    );
    expect(questions).toEqual([]);
    const status = await client.callTool({ name: 'job_status', arguments: { id: approval?.id ?? '' } });
    expect(status.structuredContent).toMatchObject({ status: 'pending', title: "Run tool 'asks'? by order" });

    // Not even with the answer to a question that was never asked.
    const forged = { ...CALL, inputResponses: { [approval?.id ?? '']: YES } };
    await client.request({ method: 'tools/call', params: forged }).catch(() => undefined);
    expect(await approvalsOf(place)).toMatchObject([{ status: 'pending', decision: null }]);
  });

  it('takes no yes from a client of another name than the trusted one', async () => {
    const place = trusting(sandboxHere(''), ['gnome']);
    const { client, questions } = await odd(place, era, 'gnome2', YES);
    expect((await client.callTool(CALL)).isError).toBe(true);
    expect(questions).toEqual([]);
    expect(await approvalsOf(place)).toMatchObject([{ status: 'pending' }]);
  });

  it.each(['stdio', 'http'] as const)(
    'asks by a form where the operator trusts the client, once for each call: %s',
    async (transport) => {
      const place = trusting(sandboxHere(''), ['gnome']);
      const { client, questions } = await odd(place, era, 'gnome', YES, transport);
      expect(textOf(await client.callTool(CALL))).toBe('done by order');
      expect(questions).toEqual([
        "Run tool 'asks'?\nin its own words:\n> by order\narguments:\n> {}\nApprove / Deny",
      ]);
      expect(await approvalsOf(place)).toMatchObject([
        { status: 'consumed', actor: 'gnome', decision: { by: 'gnome', through: 'mcp' } },
      ]);
      expect(textOf(await client.callTool(CALL))).toBe('done by order');
      expect(questions).toHaveLength(2);
    },
  );

  it.each<[string, ElicitResult, string]>([
    ['a no', { action: 'accept', content: { approve: false } }, 'denied'],
    ['a refusal', { action: 'decline' }, 'denied'],
    ['a closed form', { action: 'cancel' }, 'pending'],
    ['an answer to something else', { action: 'accept', content: { sure: true } }, 'pending'],
  ])('runs nothing after %s', async (_, answer, status) => {
    const place = trusting(sandboxHere(''), ['gnome']);
    const { client } = await odd(place, era, 'gnome', answer);
    const refused = await client.callTool(CALL);
    expect(refused.isError).toBe(true);
    const told =
      status === 'denied'
        ? 'The operator denied this call. Ask for something smaller, or go on without it.'
        : 'APPROVAL_REQUIRED:TOOL_RUN:';
    expect(textOf(refused)).toContain(told);
    expect(await approvalsOf(place)).toMatchObject([{ status }]);
  });

  it('leaves it pending where a trusted client has no forms', async () => {
    const place = trusting(sandboxHere(''), ['gnome']);
    const { client } = await connect(place, { era, name: 'gnome', words: [], program: ODD_SERVER });
    expect((await client.callTool(CALL)).isError).toBe(true);
    expect(await approvalsOf(place)).toMatchObject([{ status: 'pending' }]);
  });
});

it('cannot be told whom to trust by the workspace, the environment or the command line', async () => {
  const key = 'mcp.trusted_clients';
  const workspace = await sandboxHere(`${key} = ["eager"]\n`).ken(['mcp']);
  expect(workspace).toMatchObject({ code: 4, stdout: '' });
  expect(workspace.stderr).toContain(key);
  const environment = await sandboxHere('').ken(['mcp'], {
    environment: { KEN_CFG_MCP__TRUSTED_CLIENTS: ':["eager"]' },
  });
  expect(environment).toMatchObject({ code: 4, stdout: '' });
  const line = await sandboxHere('').ken(['mcp', '-c', `${key}+=eager`]);
  expect(line).toMatchObject({ code: 4, stdout: '' });
});

const problem = ptyProblem();

it.skipIf(problem)(
  `makes an approved call once, when it comes again${problem ? ` (${problem})` : ''}`,
  async () => {
    const place = sandboxHere('');
    const { client } = await connect(place, { words: [], program: ODD_SERVER });
    expect((await client.callTool(CALL)).isError).toBe(true);
    const [{ id = '' } = {}] = await approvalsOf(place);
    await atTerminal(place, ['approvals', 'approve', id], [{ after: 'Approve?', keys: 'yes\r' }]);
    const status = await client.callTool({ name: 'job_status', arguments: { id } });
    expect(textOf(status)).toContain('approved');
    expect(textOf(status)).toContain('Make the same call again: the approval covers it once.');
    expect(textOf(await client.callTool(CALL))).toBe('done by order');
    expect((await client.callTool(CALL)).isError).toBe(true);
  },
);

it.skipIf(problem)(`goes on once the operator has approved${problem ? ` (${problem})` : ''}`, async () => {
  const place = sandboxHere('');
  const { client } = await connect(place);
  const fact = { title: 'Ports', text: 'Use 8080.', provenance: ['cmd:ss'] };
  const { structuredContent } = await client.callTool({ name: 'knowledge_add', arguments: fact });
  const { id: entry } = structuredContent as { id: string };
  const proposal = {
    source_entry_id: entry,
    evidence_refs: ['commit:abc'],
    reason: 'r',
    as: 'procedural/ports',
  };
  const asked = await client.callTool({ name: 'knowledge_promote', arguments: proposal });
  expect(asked.isError).toBe(true);
  const [{ id = '' } = {}] = await approvalsOf(place);
  const approved = await atTerminal(
    place,
    ['approvals', 'approve', id],
    [{ after: 'Approve?', keys: 'yes\r' }],
  );
  expect(approved.code).toBe(0);
  const status = await client.callTool({ name: 'job_status', arguments: { id } });
  expect(status.structuredContent).toMatchObject({ status: 'done', data: { target_id: 'procedural/ports' } });
  const found = await client.callTool({ name: 'search', arguments: { question: 'ports', in: ['ledger'] } });
  expect(textOf(found)).toContain('ken://entry/procedural/ports@v1 (');
});

describe.skipIf(problem).each(ERAS)(
  'a client of $revision that opens addresses, while the page runs',
  (era) => {
    /** Opens what it is asked to open, `decide`s there or not, and answers. */
    async function opening(
      decide: (page: ServedPage, cookie: string) => Promise<void>,
      action: ElicitResult['action'],
    ) {
      const place = sandboxHere('');
      const page = await servePage(place);
      const cookie = await signIn(page);
      const opened: string[] = [];
      const { client } = await connect(place, {
        era,
        words: [],
        program: ODD_SERVER,
        capabilities: { elicitation: { url: {} } },
        prepare: (each) =>
          each.setRequestHandler('elicitation/create', async ({ params }) => {
            opened.push(params.mode === 'url' ? params.url : 'a form');
            await decide(page, cookie);
            return { action };
          }),
      });
      return { place, page, client, opened };
    }

    async function approve(page: ServedPage, cookie: string): Promise<void> {
      const { body } = await page.ask({ path: '/approvals.json', headers: { cookie } });
      const [{ id, digest }] = JSON.parse(body).approvals;
      const form_token = await formToken(page, cookie);
      const form = new URLSearchParams({ id, digest, form_token }).toString();
      await page.ask({
        method: 'POST',
        path: '/approvals/approve',
        headers: { ...ownForm(page.host), cookie },
        body: form,
      });
    }

    it('is led to the approval on it, and the call goes on once it is given there', async () => {
      const { place, page, client, opened } = await opening(approve, 'accept');
      expect(textOf(await client.callTool(CALL))).toBe('done by order');
      const [approval] = await approvalsOf(place);
      expect(opened).toEqual([`http://${page.host}/approvals/show?id=${approval?.id}`]);
      expect(approval).toMatchObject({ status: 'consumed', decision: { through: 'web' } });
    });

    it.each(['decline', 'cancel'] as const)('decides nothing by its own answer: %s', async (action) => {
      const { place, client, opened } = await opening(async () => {}, action);
      expect(textOf(await client.callTool(CALL))).toContain('only the operator can decide');
      expect(opened).toHaveLength(1);
      expect(await approvalsOf(place)).toMatchObject([{ status: 'pending', decision: null }]);
    });
  },
);

it.skipIf(problem)(
  'waits a while for a client that says yes without a decision, and leaves it pending',
  async () => {
    const place = sandboxHere('');
    writeOwnConfig(place.home, 'mcp.job_after_s = 4\n');
    await servePage(place);
    const { client } = await connect(place, {
      words: [],
      program: ODD_SERVER,
      capabilities: { elicitation: { url: {} } },
      prepare: (each) => each.setRequestHandler('elicitation/create', async () => ({ action: 'accept' })),
    });
    expect(textOf(await client.callTool(CALL))).toContain('only the operator can decide');
    expect(await approvalsOf(place)).toMatchObject([{ status: 'pending', decision: null }]);
  },
);

it('asks for no address where no page runs', async () => {
  const place = sandboxHere('');
  const { client } = await connect(place, {
    words: [],
    program: ODD_SERVER,
    capabilities: { elicitation: { url: {} } },
    prepare: (each) => each.setRequestHandler('elicitation/create', () => Promise.reject(new Error('asked'))),
  });
  expect(textOf(await client.callTool(CALL))).toContain('only the operator can decide');
});
