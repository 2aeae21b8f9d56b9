// node scripts/build-kernel.ts: run after kernel.wat or tally.wat has been changed.
import { writeFileSync } from 'node:fs';
import { ASSEMBLED, assembled } from '../test/assemble-kernel.ts';

for (const { source, target } of ASSEMBLED) writeFileSync(target, await assembled(source));
