// Preloaded into ken by the test beside it: writes down every file of the bundle that is read.
import fs, { appendFileSync } from 'node:fs';

const record = process.env.KEN_TEST_LOADS;
const { readFileSync } = fs;
fs.readFileSync = (file, ...rest) => {
  if (String(file).endsWith('.cjs')) appendFileSync(record, `${file}\n`);
  return readFileSync(file, ...rest);
};
