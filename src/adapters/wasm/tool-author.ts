/** Creates tools from templates and builds them with the compilers of their own package.json. */

import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { TemplateFile, ToolAuthor } from '../../domain/tools/tool-author.ts';
import { buildTool, type CompilerPorts, findCCompiler } from './build-tool.ts';
import { templateDirectory } from './built-files.ts';

export function wasmToolAuthor(ports: CompilerPorts): ToolAuthor {
  return {
    async template(language, name) {
      const files = filesBelow(templateDirectory(language)).map((file) => named(file, name));
      return [...files, { path: '.gitignore', content: 'node_modules/\n' }];
    },
    async build(directory, output) {
      replaceFile(output, await buildTool(ports, directory));
    },
    findCCompiler: () => findCCompiler(ports),
  };
}

function filesBelow(directory: string): TemplateFile[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ path: path.relative(directory, file), content: readFileSync(file, 'utf8') }));
}

/** Replaces NAME in a template by the tool's name. */
function named({ path: file, content }: TemplateFile, name: string): TemplateFile {
  return { path: file, content: content.replaceAll(/\bNAME\b/g, name) };
}

/** Replaces the file atomically, so a tool that starts meanwhile reads the old or the new one whole. */
function replaceFile(file: string, content: Uint8Array): void {
  const fresh = `${file}.${process.getBuiltinModule('node:crypto').randomUUID()}`;
  try {
    writeFileSync(fresh, content, { flag: 'wx' });
    renameSync(fresh, file);
  } catch (cause) {
    rmSync(fresh, { force: true });
    throw new Fault('files/unwritable', `${file} cannot be written.`, { cause });
  }
}
