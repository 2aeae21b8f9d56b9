// Preloaded into ken by the test beside it: records the files of the bundle that are read and the parts of Node loaded.
import fs, { appendFileSync } from 'node:fs';

const record = process.env.KEN_TEST_LOADS;
const { readFileSync } = fs;
const before = new Set(process.moduleLoadList);
fs.readFileSync = (file, ...rest) => {
  if (/\/dist\/[^/]+\.cjs$/.test(file)) appendFileSync(record, `${file}\n`);
  return readFileSync(file, ...rest);
};
process.on('exit', () => {
  const builtins = process.moduleLoadList.filter((name) => !before.has(name));
  for (const name of builtins) appendFileSync(record, `${name.replace('NativeModule ', 'node:')}\n`);
});
