// Preloaded into ken by the test beside it: writes down every module that is loaded.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const record = process.env.KEN_TEST_LOADS;
registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(record, `${url}\n`);
    return nextLoad(url, context);
  },
});

// The bundle takes Node's own modules this way.
const { getBuiltinModule } = process;
process.getBuiltinModule = (name) => {
  appendFileSync(record, `${name}\n`);
  return getBuiltinModule.call(process, name);
};
