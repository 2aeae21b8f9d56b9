/** Tools from templates, compiled by what their own package.json brings. */

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { TemplateFile, ToolAuthor } from '../../domain/tools/tool-author.ts';
import { buildC, type CompilerPorts, findCCompiler } from './build-c.ts';
import { buildTypeScript } from './build-typescript.ts';
import { templateDirectory } from './built-files.ts';
import { lateCrypto } from './late-crypto.ts';

export function wasmToolAuthor(ports: CompilerPorts): ToolAuthor {
  return {
    async template(language, name) {
      const files = filesBelow(templateDirectory(language)).map((file) => named(file, name));
      return [...files, { path: '.gitignore', content: 'node_modules/\n' }];
    },
    async build(directory, output) {
      replaceFile(output, await componentFrom(ports, directory));
    },
    findCCompiler: () => findCCompiler(ports),
  };
}

async function componentFrom(ports: CompilerPorts, directory: string): Promise<Uint8Array> {
  if (existsSync(path.join(directory, 'tool.ts'))) return buildTypeScript(directory);
  const file = path.join(directory, 'tool.c');
  const wit = path.join(directory, 'wit');
  if (existsSync(file)) return buildC(ports, { file, include: directory, wit, packages: directory });
  throw new Fault('tools/not-found', `There is neither tool.ts nor tool.c in ${directory}.`, {
    hint: 'Make a tool with "ken tools new NAME".',
  });
}

function filesBelow(directory: string): TemplateFile[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ path: path.relative(directory, file), content: readFileSync(file, 'utf8') }));
}

/** Templates say NAME where the tool's name belongs. */
function named({ path: file, content }: TemplateFile, name: string): TemplateFile {
  return { path: file, content: content.replaceAll(/\bNAME\b/g, name) };
}

/** Whoever runs the tool at this moment finds the old one or the new one, whole. */
function replaceFile(file: string, content: Uint8Array): void {
  const fresh = `${file}.${lateCrypto().randomUUID()}`;
  try {
    writeFileSync(fresh, content, { flag: 'wx' });
    renameSync(fresh, file);
  } catch (cause) {
    rmSync(fresh, { force: true });
    throw new Fault('files/unwritable', `${file} cannot be written.`, { cause });
  }
}
