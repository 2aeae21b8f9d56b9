import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { walkCommands } from '../../src/entry/cli/find-command.ts';
import { COMMANDS } from '../../src/entry/cli/registry.ts';
import { sandboxHere } from './ken-here.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/cli.md'), 'utf8');

it('prints for every command what docs/cli.md says', async () => {
  const { ken } = sandboxHere();
  const commands = [['ken'], ...(await walkCommands(COMMANDS)).map(({ path: words }) => words)];
  for (const words of commands) {
    const { code, stdout, stderr } = await ken([...words.slice(1), '--help']);
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' });
    expect(page).toContain(`\n## ${words.join(' ')}\n\n\`\`\`text\n${stdout}\`\`\`\n`);
  }
});
