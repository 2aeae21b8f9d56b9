// node scripts/build-kernel.ts: assembles the kernel after kernel.wat has been changed.
import { writeFileSync } from 'node:fs';
import { assembledKernel, kernelBytesFile } from '../test/assemble-kernel.ts';

writeFileSync(kernelBytesFile, await assembledKernel());
