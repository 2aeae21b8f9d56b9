import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../cli/ken.ts';

const root = path.join(import.meta.dirname, '../..');

interface Example {
  readonly command: string;
  /** The output, standard error first. */
  readonly printed: string;
}

/** The `console` blocks of a page: lines after a `$` and what follows them. */
function examplesOf(page: string): Example[] {
  const text = readFileSync(path.join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^(`{3,})console\n([\s\S]*?)^\1$/gm)].map(([, , block = '']) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .filter(Boolean)
      .map((example) => {
        const [command = '', ...printed] = example.split('\n');
        return { command, printed: printed.join('\n') };
      }),
  );
}

async function printedBy({ shell }: Sandbox, command: string): Promise<string> {
  const { stdout, stderr } = await shell(command);
  return stderr + stdout;
}

it('docs/knowledge-base.md shows what is really printed', async () => {
  const box = sandbox();
  cpSync(path.join(root, 'examples/workspace'), box.root, { recursive: true });
  for (const { command, printed } of examplesOf('docs/knowledge-base.md')) {
    expect(`$ ${command}\n${await printedBy(box, command)}`).toBe(`$ ${command}\n${printed}`);
  }
});
