/** Runs ken in this very process, so that a signal hits it, and tells when it begins and has ended well. */

import { writeSync } from 'node:fs';

process.on('exit', (code) => {
  if (code === 0) writeSync(1, 'end\n');
});
writeSync(1, 'begin\n');
await import('../../bin/ken.cjs');
