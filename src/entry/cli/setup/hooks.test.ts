import { describe, expect, it } from 'vitest';
import { Fault } from '../../../base/fault.ts';
import { parseJsonc } from './edit-jsonc.ts';
import { hasHooks, hookPlace, withHooks, withoutHooks } from './hooks.ts';

const PLACE = { program: 'ken' };
const OTHER = '{"hooks":[{"type":"command","command":"echo hi"}]}';

/** Files as people have them. */
const FILES: readonly string[] = [
  '',
  ' \n\n',
  '{}',
  '{ }\n',
  '{\r\n\t"model": "opus", // mine\r\n}\r\n',
  '\uFEFF{"a": 1}',
  '{"hooks": {}}',
  '{\n  "hooks": {\n  }\n}\n',
  '{"hooks": {"SessionStart": []}}',
  `{"hooks": {"SessionStart": [${OTHER}]}}`,
  `{\n  "hooks": {\n    "SessionStart": [\n      ${OTHER}, // theirs\n    ],\n  },\n}`,
  `{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t${OTHER}\n\t\t]\n\t}\n}\n`,
  `{"hooks": {"PreToolUse": [${OTHER}], "Stop": [${OTHER},${OTHER}]}, "env": {"A": "b"}}`,
  '// head\n{\n    "permissions": { "allow": [ "Bash(ls:*)" ] }\n} // tail',
  '{"hooks": {"SessionStart": [ /* none yet */ ]}}',
  '{"hooks": {"UserPromptSubmit": [{"hooks": []}]}}',
  '{"x": "ken hook stop", "hooks": {"Stop": ["ken hook stop"]}}',
  `{"hooks":{"PreCompact":[${OTHER}\n]}}`,
  '{"statusLine": {"type": "command", "command": "~/line.sh"},\n"hooks": {"Notification": []},}',
  '{\n "hooks" :\n {\n  "Stop" : [ { "hooks" : [ { "type" : "command" , "command" : "x" } ] } ]\n }\n}',
  `{"hooks": {"SessionStart": [${OTHER}], "SessionStart": [${OTHER}]}}`.replace(
    '"SessionStart": [',
    '"Setup": [',
  ),
];

describe.each(FILES.map((text) => [text]))('in %j', (before) => {
  const after = withHooks(PLACE, before);

  it('they are added, once', () => {
    expect(hasHooks(after)).toBe(true);
    expect(withHooks(PLACE, after)).toBe(after);
    const { hooks } = parseJsonc(after) as { hooks: Record<string, { hooks?: { command: string }[] }[]> };
    const own = Object.entries(hooks).flatMap(([event, items]) =>
      items.flatMap((item) =>
        (item.hooks ?? []).filter(({ command }) => command.startsWith('ken hook')).map(() => event),
      ),
    );
    expect(own.toSorted()).toEqual([
      'PreCompact',
      'SessionStart',
      'SessionStart',
      'Stop',
      'UserPromptSubmit',
    ]);
  });

  it('they are removed to the last byte', () => {
    expect(withoutHooks(PLACE, after, before)).toBe(before);
  });

  it('they alone are removed when nobody knows what it was before', () => {
    const rest = withoutHooks(PLACE, after, undefined);
    expect(hasHooks(rest)).toBe(false);
    expect(withoutEmpty(parseJsonc(rest ?? '{}'))).toEqual(withoutEmpty(parseJsonc(before.trim() || '{}')));
  });
});

/** A list that lost its last item is gone with it. */
function withoutEmpty(file: unknown): unknown {
  const { hooks, ...others } = file as { hooks?: Record<string, unknown[]> };
  const filled = Object.entries(hooks ?? {}).filter(([, items]) => items.length > 0);
  return { ...others, hooks: Object.fromEntries(filled) };
}

it.each(['{"hooks": []}', '{"hooks": {"Stop": {}}}', '[]', '{"hooks": '])('refuses %j', (text) => {
  expect(() => withHooks(PLACE, text)).toThrow(Fault);
});

it('replaces those of another place, and leaves a group that holds more than ken', () => {
  const own = withHooks({ program: '/usr/bin/node /opt/ken/bin/ken.cjs' }, '{}');
  expect(withHooks(PLACE, own)).toBe(withHooks(PLACE, '{}'));
  const mixed = '{"hooks": {"Stop": [{"hooks": [{"command": "ken hook stop"}, {"command": "x"}]}]}}';
  expect(withoutHooks(PLACE, mixed, undefined)).toBe(mixed);
});

it('quotes the words of a program for the shell', () => {
  const context = {
    root: '/w',
    home: '/h',
    configHome: '/h/.config',
    platform: 'linux',
    variables: {},
  } as const;
  expect(hookPlace('codex', { ...context, program: ['/a b/node', "/it's/ken.cjs"] }, true)).toEqual({
    file: '/h/.codex/hooks.json',
    standing: 'user',
    program: "'/a b/node' '/it'\\''s/ken.cjs'",
  });
});
