/** Runs the commands that its parent sends, one after the other, as the account that it was started as. */

import { bundleRunner } from './run-bundle.ts';

const run = bundleRunner(process.argv[2] ?? '');
process.on('message', async (message: Parameters<typeof run>[0]) => process.send?.(await run(message)));
process.on('disconnect', () => process.exit());
