import { expect, it } from 'vitest';
import { isUnfitEvent, parseEventLine } from './event-line.ts';

it.each([
  ['{"type":"turn_start","at":"2026-01-01T00:00:00.000Z","turn":1}', false],
  ['{"type":"turn_start"}', true],
  ['{"type":"of another program"}', false],
  ['{"type":{"toString":{}}}', false],
  ['{"type":"toString"}', false],
])('tells an event of ours without its form from what others wrote: %s', (line, isUnfit) => {
  const event = parseEventLine(line);
  expect(event && isUnfitEvent(event)).toBe(isUnfit);
});
