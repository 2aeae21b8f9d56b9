import { expect, it } from 'vitest';
import { failure, success } from '../../domain/tools/tool.ts';
import { asCallResult, RESULT_LIMIT_BYTES } from './tool-result.ts';

const data = { entries: [1, 2] };

it('gives an answer as text and as data', () => {
  expect(asCallResult({ outcome: success('two'), data }, false)).toEqual({
    content: [{ type: 'text', text: 'two' }],
    structuredContent: { text: 'two', ...data },
  });
});

it('leaves the sentence of a tool as it is, and leaves out members that are null', () => {
  const said = { text: 'A sentence.', rows: [{ a: 1, b: null }], none: null };
  expect(asCallResult({ outcome: success('long'), data: said }, false).structuredContent).toEqual({
    text: 'A sentence.',
    rows: [{ a: 1 }],
  });
});

it('gives the text in place of data that it does not have', () => {
  expect(asCallResult({ outcome: success('two') }, false).structuredContent).toEqual({ text: 'two' });
});

it('does not give as data what was cut from the text', () => {
  expect(asCallResult({ outcome: success('t…'), data }, true).structuredContent).toEqual({ text: 't…' });
});

it('gives no data that is much longer than text may be', () => {
  const ofLength = (length: number) => ({ text: '', a: 'x'.repeat(length - '{"text":"","a":""}'.length) });
  const most = ofLength(2 * RESULT_LIMIT_BYTES);
  expect(asCallResult({ outcome: success('t'), data: most }, false).structuredContent).toEqual(most);
  const more = ofLength(2 * RESULT_LIMIT_BYTES + 1);
  expect(asCallResult({ outcome: success('t'), data: more }, false).structuredContent).toEqual({ text: 't' });
});

it('tells an error with everything that is known about it', () => {
  expect(asCallResult({ outcome: failure('No.', ['Because.']), data }, false)).toEqual({
    content: [{ type: 'text', text: 'No.\nBecause.' }],
    isError: true,
    structuredContent: { text: 'No.\nBecause.', ...data },
  });
});
