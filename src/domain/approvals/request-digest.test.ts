import fc from 'fast-check';
import { expect, it } from 'vitest';
import { systemHasher } from '../../adapters/system/primitives.ts';
import type { Json } from '../../base/json.ts';
import type { ApprovalRequest } from './approval.ts';
import { requestDigest } from './seek-approval.ts';

function asked(request: Json, given: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const reason = { type: 'tool_run', tool: 'sh', arguments: {} } as const;
  return { workspace: '/w', reason, request, actor: 'ken', ...given };
}

const digest = (request: Json, given?: Partial<ApprovalRequest>) =>
  requestDigest(systemHasher, asked(request, given));

it('is the SHA-256 of the written-out request', () => {
  expect(digest({ b: 1, a: 'x' })).toBe(
    systemHasher.sha256('["ken-approval-1","/w","tool_run",{"a":"x","b":1}]'),
  );
  expect(systemHasher.sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('does not depend on who asks, nor on how the summary puts it', () => {
  const reason = { type: 'tool_run', tool: 'other', arguments: { a: 1 } } as const;
  expect(digest('x', { actor: 'someone', reason })).toBe(digest('x'));
});

it('depends on the workspace and on the kind of reason', () => {
  expect(digest('x', { workspace: '/w/' })).not.toBe(digest('x'));
  expect(digest('x', { workspace: undefined })).not.toBe(digest('x', { workspace: 'null' }));
  expect(digest('x', { reason: { type: 'workspace_escape', path: 'x' } })).not.toBe(digest('x'));
});

it('changes with any character of the request', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.nat(),
      fc.string({ unit: 'binary', maxLength: 1 }),
      (text, at, other) => {
        const changed = text.slice(0, at % text.length) + other + text.slice((at % text.length) + 1);
        expect(digest({ text }) === digest({ text: changed })).toBe(text === changed);
      },
    ),
  );
});
