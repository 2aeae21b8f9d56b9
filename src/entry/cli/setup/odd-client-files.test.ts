import { expect, it } from 'vitest';
import { Fault } from '../../../base/fault.ts';
import { CLIENT_NAMES, CLIENTS } from './clients.ts';
import { serverIn, withKen, withoutKen } from './edit-client-file.ts';

/** Files as people have them, by format; `SERVERS` stands for the member that holds the servers. */
const ODD_FILES: Readonly<Record<string, readonly string[]>> = {
  jsonc: [
    '',
    ' \n',
    '{}',
    '{ }\n',
    '\uFEFF{\r\n  "a": 1\r\n}\r\n',
    '// head\n{\n}\n// tail',
    '{"a":1}',
    '{\n\t"a": 1,\n}\n',
    '{"SERVERS":{}}',
    '{ "SERVERS": { } , "z": null }',
    '{"SERVERS":{"files":{"command":"x"}}}',
    '{\n  "SERVERS": {\n    "files": { "command": "x" }, // mine\n  },\n}\n',
    '{\n    "SERVERS": {\n        "a": {},\n        /* "ken": 1 */\n    },\n    "o": [1,2,   3],\n}',
    '{"SERVERS":{"a":{},"b":{}},"deep":{"SERVERS":{"ken":1}}}',
    '{"text":"\\"SERVERS\\": {","SERVERS":{"x":1}}',
    '{"wide":"界\\u0000","SERVERS":{"größe":{"env":{"A":"b"}}}}',
    '{\r\n  "SERVERS" : {\r\n    "a" : { }\r\n  }\r\n}',
    '{"n":1e400,"f":-0.0,"SERVERS":{}}',
    '{"a":{"b":{"c":[{"SERVERS":[]}]}}}',
    '  {  "SERVERS"  :  {  "a"  :  1  }  }  ',
    '{/**/"SERVERS"/**/:/**/{/**/}/**/}',
    `{${'"k":1,'.repeat(3)}"SERVERS":{"a":{"args":[ "--root",\n "." ]}}}`,
    '{\n  "a": "//", "b": "/* */", // \\" {\n}',
    '\t{\n\t\t"SERVERS":\n\t\t{\n\t\t}\n\t}\n\n\n',
    '{"SERVERS":{"a":1},"x":1,"SERVERS":{"b":2}}',
    '{"__proto__":{"x":1},"SERVERS":{"__proto__":{}}}',
  ],
  toml: [
    '',
    '\n',
    '# only a comment',
    'a = 1',
    'a = 1\n',
    '\uFEFFa = 1\r\n',
    'a = 1 # no end',
    '[x]\ny = 2\n',
    '[SERVERS]\n',
    '[SERVERS.files]\ncommand = "x"\n',
    '[SERVERS.files]\r\ncommand = "x"\r\n\r\n[z]\r\n',
    "[SERVERS.files]\ncommand = 'x' # mine\n\n[profiles.x]\na = 1\n",
    '[[list]]\na = 1\n[[list]]\na = 2\n',
    'SERVERS.files.command = "x"\n',
    'text = """\n[SERVERS.ken]\n"""\n',
    "lit = '''\n# [SERVERS]\n'''\n",
    '[SERVERS.files]\nargs = [ "a",\n "b", # here\n]\n',
    '[SERVERS.files.env]\nA = "b"\n',
    '["quoted key"]\n"ö" = 1\n',
    'when = 2026-11-15T12:00:00Z\n[SERVERS.a]\n[SERVERS.b]\n',
    '\n\n\n[ SERVERS . a ]\n\n\n',
    'a = { b = { c = [1, 2] } }\n[d.e.f]\ng = 1',
    '[SERVERS.other]\n\n# about z\n[z]\n# the end',
    "'lit key' = 1\n[SERVERS.'a.b']\nx = '''\n[SERVERS.ken]\n'''\n",
    '[SERVERS.kenny]\ncommand = "x"\n[SERVERS.kenny.env]\nken = "1"\n',
  ],
  yaml: [
    '',
    '\n',
    '# only a comment\n',
    'A: 1',
    'A: 1\n',
    '\uFEFFA: 1\r\nB: 2\r\n',
    'A: 1 # no end',
    'SERVERS:\n',
    'SERVERS:',
    'SERVERS: # none yet\nA: 1\n',
    'SERVERS:\n  files:\n    cmd: x\n',
    'SERVERS:\r\n  files:\r\n    cmd: x\r\nA: 1\r\n',
    'SERVERS:\n    wide:\n        cmd: "界"\n',
    'SERVERS:\n  # mine\n  files:\n    args:\n    - a\n    - b\n  # more\n',
    'A:\n  SERVERS:\n    ken: 1\n',
    'text: |\n  SERVERS:\n    ken: 1\nSERVERS:\n  a: {}\n',
    'SERVERS:\n  a: &x\n    b: 1\n  c: *x\n',
    '"SERVERS":\n  "a b": {cmd: x}\n',
    '---\nA: 1\n',
    'A: [1, 2,\n  3]\nSERVERS:\n  z: null\n',
    'A: >-\n  folded\n  text\n\nB: 1\n',
    'SERVERS:\n  a: 1\n\n\n\nlast: true\n',
    '# head\n\nSERVERS:\n  kenny:\n    ken: true\n# tail',
    'A: "ken: 1"\nSERVERS:\n  a: {}\nB: # SERVERS:\n  C: 1\n',
    'A:\n- 1\n- SERVERS:\n  - ken\n',
  ],
};

const CONTEXT = {
  root: '/work/garden',
  home: '/home/ada',
  configHome: '/home/ada/.config',
  platform: 'linux',
  program: ['/usr/bin/node', '/opt/ken/bin/ken.cjs'],
  variables: { KEN_HOME: '/home/ada/ken' },
} as const;

it.each(CLIENT_NAMES)(
  '%s: odd files are, after set-up and removal, what they were to the last byte',
  (client) => {
    const { place, ownPlace, format, servers } = CLIENTS[client];
    const files = ODD_FILES[format] ?? [];
    expect(files.length).toBeGreaterThanOrEqual(20);
    for (const { name, server } of [place(CONTEXT), ...(ownPlace ? [ownPlace(CONTEXT)] : [])]) {
      const target = { format, servers, name, server };
      let taken = 0;
      for (const before of files.map((text) => text.replaceAll('SERVERS', servers))) {
        const after = unlessRefused(() => withKen(target, before));
        if (after === undefined) continue;
        taken += 1;
        expect(serverIn(target, after), before).toEqual(server);
        expect(isSubsequence(before, after), before).toBe(true);
        expect(withoutKen(target, after, before), before).toBe(before);
        const rest = unlessRefused(() => withoutKen(target, after, undefined));
        if (rest !== undefined) expect(serverIn(target, rest), before).toBeUndefined();
      }
      expect(taken).toBeGreaterThanOrEqual(20);
    }
  },
);

const OTHERS: Readonly<Record<string, string>> = {
  jsonc:
    '{\n  // mine\n  "SERVERS": { "NAME":{"command":"first"}, "NAME":{"command":"other", "x": [ 1 ]}, "z": {} },\n}\n',
  toml: '# mine\n[SERVERS.NAME]\ncommand = "other" # keep\nx = [ 1 ]\n\n[SERVERS.z]\n',
  yaml: '# mine\nSERVERS:\n  NAME:\n    cmd: other # keep\n    x: [ 1 ]\n  z: {}\n',
};
const LONG_LINES: Readonly<Record<string, string>> = {
  jsonc: `{\n${Array.from({ length: 4000 }, (_, at) => `  "key${at}": [${at},  "${'x'.repeat(40)}"],\n`).join('')}  "SERVERS": {}\n}\n`,
  toml: Array.from({ length: 4000 }, (_, at) => `key${at} = [${at},  "${'x'.repeat(40)}"]\n`).join(''),
  yaml: Array.from({ length: 2000 }, (_, at) => `key${at}: [${at},  "${'x'.repeat(40)}"]\n`).join(''),
};

it.each(CLIENT_NAMES)(
  '%s: a server of the same name, and a large file, come back to the last byte',
  (client) => {
    const { place, format, servers } = CLIENTS[client];
    const { name, server } = place(CONTEXT);
    const target = { format, servers, name, server };
    for (const texts of [OTHERS, LONG_LINES]) {
      const before = (texts[format] ?? '').replaceAll('SERVERS', servers).replaceAll('NAME', name);
      expect(before).not.toBe('');
      const after = withKen(target, before);
      expect(serverIn(target, after)).toMatchObject(server);
      expect(withoutKen(target, after, before)).toBe(before);
    }
  },
);

function unlessRefused<Result>(edit: () => Result): Result | undefined {
  try {
    return edit();
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return undefined;
  }
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (let place = 0; place < whole.length; place++) if (part[at] === whole[place]) at += 1;
  return at === part.length;
}
