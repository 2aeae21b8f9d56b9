import { expect, it } from 'vitest';
import { NO_HISTORY } from '../../../../test/ledger/ledger-ports.ts';
import { systemHasher } from '../../../adapters/system/primitives.ts';
import { Fault } from '../../../base/fault.ts';
import { requireProvenance } from '../entry/provenance.ts';
import { checkEvidence } from './check-evidence.ts';
import { citedLines, citeEvidence, NO_SOURCE, type SourceText } from './evidence.ts';

const isCitationUri = (text: string) => text.startsWith('ken://');

/** A workspace without files, and a library whose copy of everything is `copy`. */
function opened(copy: SourceText) {
  return {
    evidence: { read: async () => undefined },
    citedSource: { ...NO_SOURCE, lines: async () => copy, page: async () => copy },
    history: NO_HISTORY,
    ledger: { hasEvent: async () => false },
    hasher: systemHasher,
    isCitationUri,
  };
}

const there = (text: string): SourceText => ({ kind: 'there', text });

it.each<[string, SourceText, SourceText, string]>([
  ['the same', there('a\nb'), there('a\nb'), 'ok'],
  ['the same with other line ends', there('a\nb'), there('a\r\nb\r'), 'ok'],
  ['another text', there('a'), there('b'), 'changed'],
  ['nothing any more', there('a'), { kind: 'gone' }, 'missing'],
  ['nobody who could tell', there('a'), { kind: 'unknown' }, 'unchecked'],
  ['a copy that was not there when it was cited', { kind: 'unknown' }, there('a'), 'unchecked'],
])('a page and a reference of which there is %s', async (_, before, after, verdict) => {
  for (const text of ['url:https://example.com/x', 'ref:ken://ref/topic-x@abc/y.md#L1-L2']) {
    const citation = await citeEvidence(opened(before), requireProvenance(text, isCitationUri));
    expect(await checkEvidence(opened(after), citation)).toMatchObject({ verdict, movedTo: undefined });
  }
});

it('a source that cannot be read is not checked; a mistake of ken’s own is not hidden', async () => {
  const failing = (error: Error) => ({
    ...opened(there('a')),
    citedSource: { ...NO_SOURCE, lines: async () => Promise.reject(error) },
  });
  const citation = { provenance: 'ref:ken://conversation/x#turn-1', sha256: 'x' };
  expect(await checkEvidence(failing(new Fault('files/unreadable', 'Torn.')), citation)).toEqual({
    verdict: 'unchecked',
    movedTo: undefined,
    reason: 'it cannot be read now; "ken show" says why',
  });
  await expect(checkEvidence(failing(new TypeError('Mine.')), citation)).rejects.toThrow('Mine.');
});

it('a line end at the end begins no line, and line ends do not count', () => {
  const [first, second, third] = [1, 2, 3].map((line) => ({ first: line, last: line }));
  for (const text of ['a\nb', 'a\nb\n', 'a\r\nb\r\n']) {
    expect(citedLines(text, undefined)).toBe('a\nb');
    expect([first, second, third].map((range) => citedLines(text, range))).toEqual(['a', 'b', undefined]);
  }
  expect(citedLines('a\n\n', second)).toBe('');
});

it('a file that was renamed is looked for under its later names before anywhere else', async () => {
  const files = new Map([
    ['c.md', 'a\nb\n'],
    ['copy.md', 'a\nb\n'],
  ]);
  const renames = [
    { from: 'a.md', to: 'b.md' },
    { from: 'b.md', to: 'c.md' },
  ];
  const ports = (told: typeof renames) => ({
    ...opened(there('')),
    evidence: { read: async (path: string) => files.get(path) },
    history: { ...NO_HISTORY, renames: async () => told, files: async () => [...files.keys()] },
  });
  const citation = { provenance: 'file:a.md#L2', sha256: systemHasher.sha256('b') };
  expect(await checkEvidence(ports(renames), citation)).toMatchObject({
    verdict: 'moved',
    movedTo: 'file:c.md#L2',
  });
  expect(await checkEvidence(ports([]), citation)).toMatchObject({
    verdict: 'changed',
    reason: 'the same lines stand in several places',
  });
});
