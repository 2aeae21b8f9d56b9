import { parse, TomlError } from 'smol-toml';
import { Fault } from '../../base/fault.ts';
import type { Tree } from '../tree.ts';

export function parseToml(text: string, file = 'TOML'): Tree {
  try {
    return parse(text.startsWith('\ufeff') ? text.slice(1) : text) as Tree;
  } catch (error) {
    if (!(error instanceof TomlError)) throw deepNesting(error, file);
    const [first = ''] = error.message.split('\n');
    const what = first.replace(/^Invalid TOML document: /, '').replace(/\.$/, '');
    throw new Fault('config/invalid', `${file}:${error.line}:${error.column}: ${what}.`, {
      cause: error,
      ...(what === 'invalid value' && { hint: 'Text needs quotes: name = "ken".' }),
    });
  }
}

/** The parser is recursive: a file that is nested thousands of levels deep overflows the stack. */
function deepNesting(error: unknown, file: string): unknown {
  if (!(error instanceof RangeError)) return error;
  return new Fault('config/invalid', `${file} is nested too deeply.`, { cause: error });
}
