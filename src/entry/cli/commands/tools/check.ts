import path from 'node:path';
import { Fault } from '../../../../base/fault.ts';
import type { ComponentFacts } from '../../../../domain/tools/component-host.ts';
import type { Command } from '../../command.ts';
import type { Terminal } from '../../terminal.ts';

export const checkComponent: Command = {
  name: 'check',
  summary: 'say whether a file is a tool: a component that fits the contract',
  description: 'Nothing of the file is executed. Ends with code 6 when it is no tool.',
  examples: ['tools check .ken/tools/hello.wasm', 'tools check hello.wasm --json'],
  arguments: [{ name: 'file', summary: 'a .wasm file', required: true }],

  async run({ arguments: [file = ''], terminal, directory, openAnywhere }) {
    const { components } = await openAnywhere();
    try {
      tell(terminal, file, await components.check({ file: path.resolve(directory, file) }));
      return undefined;
    } catch (error) {
      if (!(error instanceof Fault) || error.code === 'wasm/not-found') throw error;
      const { code, message, hint } = error;
      if (terminal.json)
        terminal.printJson({ file, fits: false, problem: { code, message, hint: hint ?? null } });
      else terminal.print([`${file} is no tool. ${message}`, hint].filter(Boolean).join('\n'));
      return 6;
    }
  },
};

function tell(terminal: Terminal, file: string, { sha256, sizeBytes, imports }: ComponentFacts): void {
  if (terminal.json) {
    terminal.printJson({ file, fits: true, sha256, size_bytes: sizeBytes, imports });
    return;
  }
  terminal.print(`${file} fits the contract ken:tool@0.1.0.`);
  terminal.print(`${sizeBytes} bytes, sha-256 ${sha256}`);
  terminal.print(`It uses:\n${imports.map((name) => `  ${name}`).join('\n')}`);
}
