import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseOutput } from './command-tool.ts';
import { outcomeToJson } from './outcome-json.ts';
import { failure, success, type ToolOutcome } from './tool.ts';

function parsed(stdout: string, exitCode?: number | 'killed', stderr = ''): ToolOutcome {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const code = exitCode === 'killed' ? undefined : (exitCode ?? 0);
  return parseOutput({ stdout: bytes(stdout), stderr: bytes(stderr), exitCode: code });
}

it.each<[string, ToolOutcome, ToolOutcome]>([
  ['an outcome', parsed('{"type":"success","content":"done"}'), success('done')],
  ['an outcome between blanks', parsed('\n  {"type":"success","content":"done"}\n'), success('done')],
  [
    'an outcome of a program that failed',
    parsed('{"type":"error","message":"no"}', 1, 'noise'),
    failure('no'),
  ],
  ['JSON of its own', parsed('{"type":"success"}\n'), success('{"type":"success"}\n')],
  ['text', parsed('hello\n'), success('hello\n')],
  ['nothing', parsed(''), success('')],
  ['nothing, failed', parsed('', 3), failure('The tool ended with code 3.')],
  ['text, failed', parsed('half\n', 1, 'oh no\n'), failure('The tool ended with code 1.', ['oh no', 'half'])],
  ['text, killed', parsed('half', 'killed'), failure('The tool was ended by a signal.', ['half'])],
])('%s', (_, outcome, expected) => {
  expect(outcome).toEqual(expected);
});

it('replaces what is not text', () => {
  const stdout = Uint8Array.of(0x61, 0xff, 0x62);
  expect(parseOutput({ stdout, stderr: new Uint8Array(), exitCode: 0 })).toEqual(success('a\ufffdb'));
});

it('makes an outcome of any bytes, one that can be kept', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json().map((json) => new TextEncoder().encode(json)),
  );
  fc.assert(
    fc.property(bytes, bytes, fc.option(fc.nat(255), { nil: undefined }), (stdout, stderr, exitCode) => {
      const outcome = parseOutput({ stdout, stderr, exitCode });
      const printed = JSON.stringify(outcomeToJson(outcome));
      expect(parsed(printed)).toEqual(outcome);
    }),
  );
});
