/** Opens a tree and keeps it until somebody ends the process. */

import { realReader } from './reader.ts';

const [parent = '', url = ''] = process.argv.slice(2);
await realReader(parent).reader.open({ url, isTyped: true, paths: [] }, {}, new AbortController().signal);
process.stdout.write('open\n');
setInterval(() => {}, 1000);
