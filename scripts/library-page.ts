/** docs/library.md, made of the comments of the library's own types and of its examples. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FAULTS, type FaultKind } from '../src/base/fault.ts';

const root = path.join(import.meta.dirname, '..');

const HEADING = `# ken as a library

After this page a program of yours can use ken.

\`import { openWorkspace } from '@ken-kb/ken'\` gives a program the functions that the command line and assistants use, under the
same rules: \`npm install @ken-kb/ken\`. It needs Node 24.16 or newer, has types, and is an ES module; a CommonJS program
can \`require\` it. This page is written by \`npm run docs\` from the comments in \`src/entry/library-types.ts\` and
\`library-change-types.ts\`, \`library-ask-types.ts\`, and from \`examples/library/\`, which the tests compile and run.

Several processes may have one workspace open at the same time, the command line and \`ken mcp\` among them. What needs a
person's approval is never approved by a program: it stays pending for \`ken approvals approve\`.
`;

export function libraryPage(): string {
  const read = (name: string) => readFileSync(path.join(root, `src/entry/${name}.ts`), 'utf8');
  return [
    HEADING,
    '## Examples\n',
    ...examples(),
    ERRORS,
    errorCodes(),
    '## Types\n',
    ...declarations(read('library-types')),
    ...declarations(read('library-change-types')),
    ...declarations(read('library-ask-types')),
  ].join('\n');
}

const ERRORS = `## Errors

Every function throws a \`KenError\` for an error that the person who runs the program can put right, and \`isKenError\` tells it from a
bug. Its \`code\` is the one that the command line prints with \`--json\`, its \`kind\` says what sort of
problem it is, its \`message\` what happened, and its \`hint\`, where there is one, what to do. \`call\` is the exception:
what a tool refuses while it runs is an answer with \`isError\`, as an assistant gets it; a tool that is not there, and
arguments that do not fit, are errors.
`;

/** A line for each kind, then one for each area with all of its codes. */
function errorCodes(): string {
  const kinds = Object.entries(KINDS).map(([kind, what]) => `| \`${kind}\` | ${what} |`);
  const codes = Object.keys(FAULTS).map((code) => code.split('/'));
  const areas = Map.groupBy(codes, ([area]) => area);
  const rows = [...areas].map(
    ([area, all]) => `| \`${area}/\` | ${all.map(([, problem]) => `\`${problem}\``).join(' · ')} |`,
  );
  return [
    '| kind | what to do |',
    '|---|---|',
    ...kinds,
    '',
    '| area | codes |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const KINDS: Readonly<Record<FaultKind, string>> = {
  usage: 'correct what was given',
  'not-found': 'name something that is there',
  denied: 'leave it, or have the operator allow it',
  conflict: 'look at what is there now, and decide again',
  failure: 'put right what the message names, or try again',
  stopped: 'nothing: it was stopped on request',
};

/** The comment that an example begins with says what it shows. */
function examples(): string[] {
  const directory = path.join(root, 'examples/library');
  return readdirSync(directory)
    .sort()
    .map((name) => {
      const [first = '', ...lines] = readFileSync(path.join(directory, name), 'utf8').split('\n');
      return `${first.replace(/^\/\/ /, '')}\n\n\`\`\`ts\n${lines.join('\n').trim()}\n\`\`\`\n`;
    });
}

const DECLARATION =
  /(?:^\/\*\*(?<comment>(?:[^*]|\*(?!\/))*)\*\/\n)?^export (?<code>interface [\s\S]*?^\}|type [\s\S]*?;)$(?!\n[^\n])/gm;

function declarations(source: string): string[] {
  return [...source.matchAll(DECLARATION)].map(({ groups = {} }) => {
    const { comment = '', code = '' } = groups;
    const name = /^\w+ (\w+)/.exec(code)?.[1];
    const said = comment.replaceAll(/^ *\* ?/gm, '').trim();
    return `### ${name}\n\n${said === '' ? '' : `${said}\n\n`}\`\`\`ts\n${code}\n\`\`\`\n`;
  });
}
