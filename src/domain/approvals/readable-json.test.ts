import { expect, it } from 'vitest';
import { readableJson } from './readable-json.ts';

it('shows a text of several lines whole, and everything else as JSON', () => {
  const value = {
    command: '# tidy up\nrm -rf ~\r\necho "done"',
    path: 'a b',
    count: 3,
    'odd key:': null,
    nested: { list: ['x', { y: 'one\ntwo' }, []], none: {} },
  };
  expect(readableJson(value)).toBe(
    [
      'command: |',
      '  # tidy up',
      '  rm -rf ~',
      '  echo "done"',
      'path: "a b"',
      'count: 3',
      '"odd key:": null',
      'nested:',
      '  list:',
      '    - "x"',
      '    -',
      '      y: |',
      '        one',
      '        two',
      '    - []',
      '  none: {}',
    ].join('\n'),
  );
});

it.each([
  [{}, '{}'],
  ['x', '"x"'],
  [['a\nb'], '- |\n  a\n  b'],
])('shows %j', (value, text) => {
  expect(readableJson(value)).toBe(text);
});
