/** Writing a tool in TypeScript: errors with file and line, the same bytes each time, compilers without your environment. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { compilerDirectory } from '../../src/adapters/wasm/author/compilers.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { withCompilers } from './compilers.ts';

const build = ({ ken }: Sandbox, ...words: string[]) => ken(['tools', 'build', 'hello', ...words]);

async function newTool(place = withCompilers(sandboxHere(''))): Promise<Sandbox> {
  await place.ken(['tools', 'new', 'hello']);
  return place;
}

const TOOL = `import { tool } from './ken-tool.ts';
import { half } from './lib/half.ts';

interface Given {
  readonly what: string;
}

const GIVES: Record<string, any> = { text: '\\ud83d!', number: 3, promise: Promise.resolve('later') };
export const run = tool<Given>({
  run({ what }) {
    return what === 'throws' ? half(what) : GIVES[what];
  },
});
`;
const HALF = `export function half(text: string): string {
  const inner = () => {
    throw new Error(\`half of \${text}: \\ud83d\`);
  };
  return inner();
}
`;

it('gives the same bytes for the same source, and names the lines of what fails', async () => {
  const digests = [];
  let place: Sandbox | undefined;
  for (const _ of ['once', 'again']) {
    place = await newTool();
    place.write('.ken/tools/hello/tool.ts', TOOL);
    place.write('.ken/tools/hello/lib/half.ts', HALF);
    const { code, stdout, stderr } = await build(place, '--yes', '--json');
    expect({ code, problem: code === 0 ? '' : stderr }).toEqual({ code: 0, problem: '' });
    digests.push(JSON.parse(stdout).sha256);
  }
  expect(digests[1]).toBe(digests[0]);
  const outcomeOf = async (what: string) => {
    const words = ['tools', 'run', '.ken/tools/hello.wasm', JSON.stringify({ what }), '--json'];
    return JSON.parse((await place?.ken(words))?.stdout ?? '').outcome;
  };
  expect(await outcomeOf('throws')).toEqual({
    type: 'error',
    message: 'half of throws: \ufffd',
    trace: ['at inner (lib/half.ts:3)', 'at half (lib/half.ts:5)', 'at run (tool.ts:11)'],
    transient: false,
  });
  expect(await outcomeOf('text')).toEqual({ type: 'success', content: '\ufffd!' });
  expect(await outcomeOf('nothing')).toMatchObject({
    message: 'The tool gave neither a text nor an outcome, but undefined.',
  });
  expect(await outcomeOf('number')).toMatchObject({
    message: 'The tool gave neither a text nor an outcome, but 3.',
  });
  expect(await outcomeOf('promise')).toMatchObject({
    message:
      'The tool gave a promise: its function "run" must not be async, and all it can call is synchronous.',
  });
});

const SHOP = `package ada:shop@0.1.0;

interface stock {
    /// Counts what is left
    /// of a thing.
    left: func(thing: string) -> u32;
}

world shop {
    export stock;
    /// Says hello.
    export greet: func(name: string) -> result<string, string>;
}
`;

it('has a world of its own, whose comments describe its functions', async () => {
  const place = await newTool();
  rmSync(path.join(place.root, '.ken/tools/hello/wit'), { recursive: true });
  place.write('.ken/tools/hello/wit/shop.wit', SHOP);
  place.write(
    '.ken/tools/hello/tool.ts',
    `export const stock = { left: (thing: string): number => thing.length };
export function greet(name: string): string {
  if (name === '') throw 'nobody is there';
  return 'Hello, ' + name;
}
`,
  );
  expect(await build(place, '--yes')).toMatchObject({ code: 0 });
  const json = async (...words: string[]) => JSON.parse((await place.ken([...words, '--json'])).stdout);
  const { functions } = await json('tools', 'inspect', '.ken/tools/hello.wasm');
  expect(functions.map(({ name, description }: Record<string, string>) => [name, description])).toEqual([
    ['greet', 'Says hello.'],
    ['left', 'Counts what is left\nof a thing.'],
  ]);
  const run = (name: string, given: object) =>
    json('tools', 'run', '.ken/tools/hello.wasm', JSON.stringify(given), '--function', name);
  expect(await run('left', { thing: 'tea' })).toMatchObject({ data: { result: 3 } });
  expect(await run('greet', { name: '' })).toMatchObject({
    outcome: { type: 'error', message: 'nobody is there' },
  });
});

it('is refused with the errors that tsc prints, an async function among them', async () => {
  const place = await newTool();
  place.write(
    '.ken/tools/hello/tool.ts',
    `import { tool } from './ken-tool.ts';

const count: number = 'three';
export const run = tool<{ name: string }>({
  async run({ name }) {
    return name;
  },
});
`,
  );
  const { code, stderr } = await build(place, '--yes');
  expect({ code, stderr: stderr.replace(/^warning: .*\n/, '') }).toEqual({
    code: 1,
    stderr: [
      'ken: tool.ts cannot be built:',
      "tool.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
      "tool.ts(5,9): error TS2322: Type '({ name }: { name: string; }) => Promise<string>' is not assignable to type '(given: { name: string; }, call: Call) => string | Outcome'.",
      "  Type 'Promise<string>' is not assignable to type 'string | Outcome'.",
      '',
    ].join('\n'),
  });
  expect(existsSync(path.join(place.root, '.ken/tools/hello.wasm'))).toBe(false);
});

it('writes nothing elsewhere, whatever its tsconfig.json and a link of the workspace say', async () => {
  const place = await newTool();
  const outside = path.join(place.home, 'outside');
  mkdirSync(outside);
  const file = path.join(place.root, '.ken/tools/hello/tsconfig.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  const [tsBuildInfoFile, generateTrace] = ['info', 'trace'].map((name) => path.join(outside, name));
  const writing = { incremental: true, tsBuildInfoFile, generateTrace };
  const compilerOptions = { ...config.compilerOptions, ...writing };
  writeFileSync(file, JSON.stringify({ ...config, compilerOptions }));
  expect(await build(place, '--yes')).toMatchObject({ code: 0 });
  expect(readdirSync(outside)).toEqual([]);
  renameSync(path.join(place.root, '.ken/tools'), path.join(outside, 'tools'));
  symlinkSync(path.join(outside, 'tools'), path.join(place.root, '.ken/tools'));
  const { ino } = statSync(path.join(outside, 'tools/hello.wasm'));
  const { code, stderr } = await build(place, '--yes');
  expect({ code, stderr: stderr.replace(/^warning: .*\n/, '') }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('.ken/tools is a symbolic link, which ken does not follow here.'),
  });
  expect(statSync(path.join(outside, 'tools/hello.wasm'))).toMatchObject({ ino });
});

it('asks first where nothing was ever trusted', async () => {
  const place = await newTool();
  place.write('.ken/tools/hello/tool.ts', "import './missing.ts';\n");
  const { code, stderr } = await build(place);
  expect({ code, stderr: stderr.replace(/^warning: .*\n/, '') }).toEqual({
    code: 2,
    stderr:
      'ken: There is no terminal to ask whether to build hello: you have never trusted this workspace.\n' +
      'hint: Look at its sources, then add --yes.\n',
  });
  // A server stands for anything that was trusted here before.
  place.write('.ken/config.toml', '[providers.mcp.git]\ncommand = "git-mcp"\n');
  writeOwnConfig(place.home, 'approvals.noninteractive = "allow"\n');
  await place.ken(['trust']);
  expect(await build(place)).toMatchObject({ code: 1, stderr: expect.stringContaining('./missing.ts') });
});

it('installs compilers once for all tools, and gives them none of your environment', async () => {
  const place = await newTool(sandboxHere(''));
  const programs = path.join(place.home, 'programs');
  mkdirSync(programs);
  const npm = path.join(programs, 'npm');
  const tsc = 'node_modules/typescript/lib/tsc.js';
  writeFileSync(
    npm,
    `#!/bin/sh
echo "$@ $npm_config_registry $SECRET_TOKEN" >> ${place.home}/installed
grep -c '"integrity"' package-lock.json > /dev/null || exit 1
mkdir -p node_modules/typescript/lib
echo "console.log(Object.keys(process.env).join()); process.exit(1)" > ${tsc}
`,
  );
  chmodSync(npm, 0o755);
  const environment = {
    PATH: `${programs}:/usr/bin:/bin`,
    SECRET_TOKEN: 'hunter2',
    npm_config_registry: 'http://127.0.0.1:1',
  };
  const both = async () => place.ken(['tools', 'build', 'hello', '--yes'], { environment });
  const [first, second] = [await both(), await both()];
  expect(first.stderr).toContain('Installing the compilers for all tools (npm ci) …\n');
  expect(second.stderr).not.toContain('Installing');
  // The compiler prints the names of its variables as its only error.
  // The stand-alone binary finds Node on the PATH.
  const variables = process.env.KEN_TEST_BINARY ? 'PATH' : '';
  for (const { stderr } of [first, second])
    expect(stderr).toContain(`ken: tool.ts cannot be built:\n${variables}\n`);
  const said = readdirSync(path.join(place.home, 'cache/compilers'));
  expect(said).toEqual([path.basename(compilerDirectory('', 'typescript'))]);
  const { stdout } = await place.shell(`cat ${place.home}/installed`);
  expect(stdout).toBe('ci --ignore-scripts --no-audit --no-fund --loglevel=error http://127.0.0.1:1 \n');
  rmSync(path.join(place.home, 'cache/compilers'), { recursive: true });
  expect(await build(place, '--yes', '--no-install')).toMatchObject({ code: 3 });
});
