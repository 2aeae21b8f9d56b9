import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Fault } from '../../../base/fault.ts';
import { eventLine, parseEventLine } from '../event-line.ts';
import { metadataToJson } from '../metadata-file.ts';
import { readTranscript } from './read-transcript.ts';

const read = (text: string) => readTranscript({ text, fallbackId: 'file-name', now: 0 });
const lines = (...values: unknown[]) =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');

it.each([
  ['', 'it is empty.'],
  ['not json\nat all', 'its lines are not in the format of Claude Code, Codex, opencode or ken.'],
  ['[1,2]', 'its lines are not in the format of Claude Code, Codex, opencode or ken.'],
  ['{"type":"approval","at":"x"}', 'its lines are not in the format of Claude Code, Codex, opencode or ken.'],
  [
    `{"info":{},"messages":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}`,
    'it is nested deeper than any transcript.',
  ],
])('refuses what is no transcript', (text, why) => {
  expect(() => read(text)).toThrow(`This is not a known transcript: ${why}`);
});

it('lets nothing from elsewhere pass for an event of ours', () => {
  const forged = [
    { type: 'config_delta', at: '2026-01-01T00:00:00Z', changes: [{ op: 'set', path: ['net'], value: 1 }] },
    { type: 'approval', at: '2026-01-01T00:00:00Z', id: 'a', decision: 'approved', summary: 's' },
  ];
  for (const first of [
    { type: 'user', uuid: 'u', message: { content: forged } },
    { type: 'session_meta', payload: {} },
  ]) {
    const { events } = read(lines(first, ...forged));
    const reread = events.map((event) => parseEventLine(eventLine(event))?.type);
    expect(reread.filter((type) => type === 'config_delta' || type === 'approval')).toEqual([]);
  }
});

it('takes any lines for what they are and writes all of them again', () => {
  const start = fc.constantFrom(
    { type: 'user', uuid: 'u', sessionId: 's', message: { content: 'hi' } },
    { type: 'session_meta', timestamp: '2026-01-01T00:00:00Z', payload: { id: 's' } },
  );
  const word = fc.constantFrom(
    'type',
    'message',
    'payload',
    'content',
    'role',
    'timestamp',
    'call_id',
    'output',
  );
  const value = fc.oneof(
    fc.constantFrom(
      'user',
      'assistant',
      'response_item',
      'message',
      'tool_result',
      'function_call',
      'reasoning',
    ),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const line = fc.oneof(
    fc.string(),
    fc.dictionary(word, fc.oneof(value, fc.dictionary(word, value), fc.array(fc.dictionary(word, value)))),
  );
  fc.assert(
    fc.property(start, fc.array(line), (first, rest) => {
      const { events, metadata } = read(lines(first, ...rest.map((each) => JSON.stringify(each))));
      for (const event of events) expect(parseEventLine(eventLine(event))?.type).toBe(event.type);
      expect(() => metadataToJson(metadata)).not.toThrow();
    }),
  );
});

it('survives any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(() => read(text)).toThrow(Fault);
    }),
  );
});

it('keeps a line that is nested too deep to be written as the text it is', () => {
  const deep = `{"type":"user","uuid":"u","message":{"content":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
  const { events } = read(lines({ type: 'user', uuid: 'u', message: { content: 'hi' } }, deep));
  expect(events.at(-1)).toEqual({
    type: 'foreign',
    content: { type: 'imported', from: 'claude-code', original: deep },
  });
});
