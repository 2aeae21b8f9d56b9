import { describe, expect, it } from 'vitest';
import type { ConversationEvent } from '../event.ts';
import { eventLine } from '../event-line.ts';
import { metadataToJson } from '../metadata-file.ts';
import type { ImportedConversation } from './imported-conversation.ts';
import { readTranscript } from './read-transcript.ts';

const NOW = Date.UTC(2026, 5, 1);
const read = (text: string) => readTranscript({ text, fallbackId: 'file-name', now: NOW });
const lines = (...values: unknown[]) =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');

/** An event in a word or two, so that a whole log can be compared at a glance. */
function brief(event: ConversationEvent): string {
  switch (event.type) {
    case 'turn_start':
      return `turn ${event.turn} at ${event.at}`;
    case 'user_message':
    case 'reasoning':
      return `${event.type}: ${event.text}`;
    case 'assistant_message':
      return `${event.model} (${event.finish}): ${event.text}`;
    case 'tool_call':
      return `call ${event.id} ${event.name} ${JSON.stringify(event.arguments)}`;
    case 'tool_result':
      return `result ${event.id} ${event.name} ${JSON.stringify(event.outcome)}`;
    case 'foreign':
      return `kept ${JSON.stringify(event.content.original)}`;
    case 'usage': {
      const { type: _, at: __, model, ...figures } = event;
      return `usage ${model} ${JSON.stringify(figures)}`;
    }
    default:
      return `${event.type}${'text' in event ? `: ${event.text}` : ''}`;
  }
}

const summary = ({ source, sourceId, metadata, events }: ImportedConversation) => ({
  source,
  sourceId,
  ...metadataToJson(metadata),
  events: events.map(brief),
});

describe('Claude Code', () => {
  const at = (second: number) => ({ timestamp: `2026-03-09T08:11:0${second}.000Z`, sessionId: 'session-1' });
  const user = (second: number, content: unknown, more = {}) => ({
    type: 'user',
    uuid: `u${second}`,
    ...at(second),
    message: { role: 'user', content },
    ...more,
  });
  const answer = (second: number, content: unknown[], more = {}) => ({
    type: 'assistant',
    uuid: `a${second}`,
    ...at(second),
    message: { id: 'msg_1', model: 'claude-opus-4-6', role: 'assistant', content, ...more },
  });
  const snapshot = { type: 'file-history-snapshot', messageId: 'm', snapshot: {} };
  const aside = user(5, 'look into it', { isSidechain: true });
  const injected = user(1, 'Caveat: …', { isMeta: true });

  it('comes over with its tools, thoughts, usage, title and times', () => {
    const image = { type: 'image', source: { type: 'base64', data: 'AAAA' } };
    const text = lines(
      { type: 'summary', summary: 'Pruning roses', leafUuid: 'x' },
      snapshot,
      injected,
      user(1, 'How do I prune roses?'),
      answer(2, [{ type: 'thinking', thinking: 'Let me look.', signature: 's' }], {
        usage: { output_tokens: 1 },
      }),
      answer(3, [{ type: 'tool_use', id: 't1', name: 'Read', input: { file: 'roses.md' } }], {
        stop_reason: 'tool_use',
        usage: {
          input_tokens: 3,
          cache_read_input_tokens: 90,
          cache_creation_input_tokens: 7,
          output_tokens: 20,
        },
      }),
      user(4, [
        { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'In March.' }, image] },
        { type: 'tool_result', tool_use_id: 't2', content: 'gone', is_error: true },
      ]),
      aside,
      answer(6, [{ type: 'text', text: 'In March.' }], { id: 'msg_2', stop_reason: 'end_turn' }),
      user(7, [{ type: 'text', text: 'Thanks' }, image]),
      '{"type":"assistant","message":{"con',
    );
    expect(summary(read(text))).toEqual({
      source: 'claude-code',
      sourceId: 'session-1',
      title: 'Pruning roses',
      created_at: '2026-03-09T08:11:01.000Z',
      active_at: '2026-03-09T08:11:07.000Z',
      labels: { imported: 'claude-code' },
      imported: { from: 'claude-code', id: 'session-1' },
      events: [
        'remark: Imported from claude-code, where it is session-1.',
        `kept ${JSON.stringify(snapshot)}`,
        `kept ${JSON.stringify(injected)}`,
        'turn 1 at 2026-03-09T08:11:01.000Z',
        'user_message: How do I prune roses?',
        'reasoning: Let me look.',
        'call t1 Read {"file":"roses.md"}',
        'result t1 Read {"type":"success","text":"In March.\\n[image]"}',
        'result t2 unknown {"type":"error","message":"gone","trace":[],"transient":false}',
        `kept ${JSON.stringify(aside)}`,
        'usage anthropic/claude-opus-4-6 {"input_tokens":100,"output_tokens":20,"cached_tokens":90}',
        'anthropic/claude-opus-4-6 (stop): In March.',
        `kept ${JSON.stringify(image)}`,
        'turn 2 at 2026-03-09T08:11:07.000Z',
        'user_message: Thanks',
        'kept "{\\"type\\":\\"assistant\\",\\"message\\":{\\"con"',
      ],
    });
  });

  it('names one without a title after its first question, and one of a helper by its own id', () => {
    const text = lines(
      user(1, '<command-name>/clear</command-name>'),
      user(2, `${'long '.repeat(30)}\nmore`),
    );
    expect(read(text).metadata.title).toBe(`${'long '.repeat(30).slice(0, 59)}…`);
    const helper = lines(user(1, 'Find it', { isSidechain: true, agentId: 'de30ae5d' }));
    expect(summary(read(helper))).toMatchObject({ sourceId: 'de30ae5d', title: 'Find it' });
  });
});

describe('Codex', () => {
  const line = (second: number, type: string, payload: unknown) => ({
    timestamp: `2026-02-01T10:00:0${second}.000Z`,
    type,
    payload,
  });
  const said = (role: string, text: string) => ({
    type: 'message',
    role,
    content: [{ type: 'input_text', text }],
  });
  const meta = line(0, 'session_meta', {
    id: 'r-1',
    timestamp: '2026-02-01T10:00:00Z',
    model_provider: 'openai',
  });
  const context = line(1, 'turn_context', { model: 'gpt-5.5' });
  const setting = line(1, 'response_item', said('user', '<environment_context>…</environment_context>'));
  const hidden = line(2, 'response_item', { type: 'reasoning', summary: [], encrypted_content: 'gAAA' });
  const doubled = line(2, 'event_msg', { type: 'user_message', message: 'List the files' });

  it('comes over with its tools, thoughts, usage and times', () => {
    const text = lines(
      meta,
      setting,
      line(1, 'response_item', said('user', 'List the files')),
      doubled,
      context,
      hidden,
      line(3, 'response_item', { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Simple.' }] }),
      line(3, 'response_item', {
        type: 'function_call',
        name: 'shell',
        arguments: '{"command":["ls"]}',
        call_id: 'c1',
      }),
      line(4, 'response_item', {
        type: 'function_call_output',
        call_id: 'c1',
        output: '{"output":"a\\nb","metadata":{"exit_code":0}}',
      }),
      line(4, 'response_item', {
        type: 'custom_tool_call',
        name: 'apply_patch',
        input: '*** Begin',
        call_id: 'c2',
      }),
      line(5, 'response_item', { type: 'custom_tool_call_output', call_id: 'c2', output: 'Done' }),
      line(5, 'event_msg', {
        type: 'token_count',
        info: { last_token_usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2 } },
      }),
      line(6, 'response_item', said('assistant', 'a and b')),
    );
    expect(summary(read(text))).toEqual({
      source: 'codex',
      sourceId: 'r-1',
      title: 'List the files',
      created_at: '2026-02-01T10:00:00.000Z',
      active_at: '2026-02-01T10:00:06.000Z',
      labels: { imported: 'codex' },
      imported: { from: 'codex', id: 'r-1' },
      events: [
        'remark: Imported from codex, where it is r-1.',
        `kept ${JSON.stringify(meta)}`,
        `kept ${JSON.stringify(setting)}`,
        'turn 1 at 2026-02-01T10:00:01.000Z',
        'user_message: List the files',
        `kept ${JSON.stringify(doubled)}`,
        `kept ${JSON.stringify(context)}`,
        `kept ${JSON.stringify(hidden)}`,
        'reasoning: Simple.',
        'call c1 shell {"command":["ls"]}',
        'result c1 shell {"type":"success","text":"a\\nb"}',
        'call c2 apply_patch "*** Begin"',
        'result c2 apply_patch {"type":"success","text":"Done"}',
        'usage openai/gpt-5.5 {"input_tokens":10,"output_tokens":2,"cached_tokens":4}',
        'openai/gpt-5.5 (stop): a and b',
      ],
    });
  });

  it('reads rollouts without envelopes', () => {
    const text = lines(
      { id: 'old-1', timestamp: '2025-06-01T00:00:00Z', instructions: null },
      said('user', 'Hello'),
      said('assistant', 'Hi'),
    );
    expect(summary(read(text))).toMatchObject({ source: 'codex', sourceId: 'old-1', title: 'Hello' });
    expect(read(text).events.map(({ type }) => type)).toEqual([
      'remark',
      'foreign',
      'turn_start',
      'user_message',
      'assistant_message',
    ]);
  });
});

it('opencode comes over with its tools, thoughts, usage, title and times', () => {
  const time = (minute: number) => Date.UTC(2026, 0, 7, 12, minute);
  const file = { type: 'file', mime: 'text/plain', url: 'file:///a' };
  const synthetic = { type: 'text', synthetic: true, text: 'Called the Read tool' };
  const patch = { type: 'patch', hash: 'h', files: [] };
  const tool = (callID: string, state: unknown) => ({ type: 'tool', callID, tool: 'bash', state });
  const exported = {
    info: { id: 'ses_1', title: 'Garden plan', time: { created: time(0), updated: time(5) } },
    messages: [
      {
        info: { role: 'user', time: { created: time(1) } },
        parts: [{ type: 'text', text: 'Plan the garden' }, synthetic, file],
      },
      {
        info: {
          role: 'assistant',
          time: { created: time(2), completed: time(3) },
          providerID: 'anthropic',
          modelID: 'claude-sonnet-4-5',
          cost: 0.5,
          tokens: { input: 10, output: 5, reasoning: 1, cache: { read: 90, write: 0 } },
        },
        parts: [
          { type: 'step-start' },
          { type: 'reasoning', text: 'Sun first.' },
          tool('c1', { status: 'completed', input: { command: 'ls' }, output: 'beds' }),
          tool('c2', { status: 'error', input: {}, error: 'denied' }),
          tool('c3', { status: 'running', input: {} }),
          { type: 'text', text: 'Beans north.' },
          patch,
          { type: 'step-finish' },
        ],
      },
      'nonsense',
    ],
  };
  expect(summary(read(JSON.stringify(exported, null, 2)))).toEqual({
    source: 'opencode',
    sourceId: 'ses_1',
    title: 'Garden plan',
    created_at: '2026-01-07T12:00:00.000Z',
    active_at: '2026-01-07T12:05:00.000Z',
    labels: { imported: 'opencode' },
    imported: { from: 'opencode', id: 'ses_1' },
    events: [
      'remark: Imported from opencode, where it is ses_1.',
      'turn 1 at 2026-01-07T12:01:00.000Z',
      'user_message: Plan the garden',
      `kept ${JSON.stringify(synthetic)}`,
      `kept ${JSON.stringify(file)}`,
      'reasoning: Sun first.',
      'call c1 bash {"command":"ls"}',
      'result c1 bash {"type":"success","text":"beds"}',
      'call c2 bash {}',
      'result c2 bash {"type":"error","message":"denied","trace":[],"transient":false}',
      'call c3 bash {}',
      'anthropic/claude-sonnet-4-5 (stop): Beans north.',
      `kept ${JSON.stringify(patch)}`,
      'usage anthropic/claude-sonnet-4-5 {"input_tokens":100,"output_tokens":5,"cached_tokens":90,"reasoning_tokens":1,"cost_usd":0.5}',
      'kept "nonsense"',
    ],
  });
});

it('reads its own export back as it was, what others wrote included', () => {
  const exported = lines(
    {
      type: 'conversation',
      id: '01k9abcdefgh',
      created_at: '2026-01-01T00:00:00.000Z',
      active_at: '2026-01-02T00:00:00.000Z',
      labels: { team: 'a' },
      theirs: { deep: [1] },
    },
    { type: 'turn_start', at: '2026-01-01T00:00:00.000Z', turn: 1 },
    { type: 'later', more: 1 },
    'torn {',
  );
  const { source, sourceId, metadata, events } = read(exported);
  expect({ source, sourceId, ...metadataToJson(metadata) }).toEqual({
    source: 'ken',
    sourceId: '01k9abcdefgh',
    created_at: '2026-01-01T00:00:00.000Z',
    active_at: '2026-01-02T00:00:00.000Z',
    labels: { team: 'a' },
    theirs: { deep: [1] },
    imported: { from: 'ken', id: '01k9abcdefgh' },
  });
  expect(events.map(eventLine)).toEqual([
    '{"type":"turn_start","at":"2026-01-01T00:00:00.000Z","turn":1}',
    '{"type":"later","more":1}',
    '{"type":"imported","from":"ken","original":"torn {"}',
  ]);
});
