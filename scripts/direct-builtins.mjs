// An import statement for a module of Node's own makes Node read every member of it, also those that load half of
// Node when they are read: 3 ms for node:fs or node:util. Asking for the module itself costs nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

/** Rewrites the outputs of a build in place. Fails rather than leave a statement out or take other text for one. */
export function directBuiltins(root, metafile) {
  for (const [output, { imports }] of Object.entries(metafile.outputs)) {
    const expected = imports.filter(({ path: name, kind }) => kind === 'import-statement' && isBuiltin(name));
    const file = path.join(root, output);
    const { code, found } = rewrite(readFileSync(file, 'utf8'));
    if (found !== expected.length) throw new Error(`${output}: ${found} of ${expected.length} imports found`);
    if (found > 0) writeFileSync(file, code);
  }
}

/** As esbuild writes them: `import a,{b as c}from"node:fs";`, `import*as d from"node:fs";`, `import"node:fs";`. */
const STATEMENT = /(?<=^|[;}\n])import ?(?<names>[\w$ ,{}*]*?)(?: ?from)?"(?<module>[\w:/]+)";/g;

/** The declarations come first, as imports do, wherever they stood. */
export function rewrite(code) {
  const declarations = [];
  let found = 0;
  const rest = code.replace(STATEMENT, (statement, ...parts) => {
    const { names, module } = parts.at(-1);
    if (!isBuiltin(module)) return statement;
    found += 1;
    declarations.push(
      ...targets(names).map((target) => `${target}=globalThis.process.getBuiltinModule("${module}")`),
    );
    return '';
  });
  return { code: declarations.length > 0 ? `const ${declarations.join(',')};${rest}` : rest, found };
}

function targets(names) {
  const members = /\{[^}]*\}/.exec(names)?.[0];
  const whole = names.replace(members ?? '', '').replaceAll(/\* ?as |,/g, ' ');
  return [...whole.split(' ').filter(Boolean), ...(members ? [members.replaceAll(' as ', ':')] : [])];
}
