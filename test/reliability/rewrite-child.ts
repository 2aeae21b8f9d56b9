/** Replaces a file again and again: `rewrite-child.ts FILE TIMES`. Tells each time that is done; see WritingProgram. */

import { writeSync } from 'node:fs';
import { writeAtomically } from '../../src/adapters/files/atomic-write.ts';

const [file = '', times = '0'] = process.argv.slice(2);
writeSync(1, 'begin\n');
for (let turn = 1; turn <= Number(times); turn++) {
  await writeAtomically(file, `${turn}\n`.repeat(20_000));
  writeSync(1, `${turn}\n`);
}
writeSync(1, 'end\n');
