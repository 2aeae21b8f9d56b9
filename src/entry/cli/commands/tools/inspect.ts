import path from 'node:path';
import type { ComponentFunction } from '../../../../domain/tools/component-host.ts';
import { command } from '../../command.ts';
import type { Terminal } from '../../terminal.ts';

export const inspectComponent = command({
  name: 'inspect',
  summary: 'show the functions of a component that become tools',
  description:
    'The file is not executed. A component that exports functions of a world of its own becomes one tool for each of ' +
    'them, named ENTRY_FUNCTION, with the types of the function as its schema. Exit 6 when the file is not a tool.',
  examples: ['tools inspect .ken/tools/maths.wasm', 'tools inspect maths.wasm --json'],
  arguments: [{ name: 'file', summary: 'a .wasm file', required: true, complete: 'files' }],

  async run({ arguments: [file = ''], directory, terminal, signal, openAnywhere }) {
    const app = await openAnywhere();
    const { functions } = await app.components.check({ file: path.resolve(directory, file) }, signal);
    if (terminal.json) terminal.printJson({ file, functions });
    else if (functions.length === 0)
      terminal.print(`${file} implements ken:tool@0.1.0: it is one tool, whose entry describes it.`);
    else for (const each of functions) show(terminal, each);
  },
});

function show(terminal: Terminal, { name, description, parameters, output }: ComponentFunction): void {
  terminal.print(name);
  if (description !== undefined) terminal.print(description);
  terminal.print(`parameters ${JSON.stringify(parameters, null, 2)}`);
  terminal.print(output ? `data ${JSON.stringify(output, null, 2)}\n` : 'It returns nothing.\n');
}
