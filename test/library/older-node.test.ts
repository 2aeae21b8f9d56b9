import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

it('names the Node it needs where it is imported by an older one', () => {
  const library = path.join(import.meta.dirname, '../../dist/library.js');
  const script = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.3.0' } });
    import(${JSON.stringify(library)}).catch((error) => console.log(error.message));
  `;
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(stdout).toBe('ken needs Node 24 or newer; this is Node 22.3.0.\n');
});
