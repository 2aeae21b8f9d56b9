/** Creates tools from templates and builds them. */

import { closeSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import type { TemplateFile, ToolAuthor } from '../../../domain/tools/tool-author.ts';
import { remove, renameIn, temporaryName } from '../../paths/change-directory.ts';
import { openFile } from '../../paths/open-path.ts';
import { realPath } from '../../paths/real-path.ts';
import { templateFiles } from '../built-files.ts';
import { sha256 } from '../component-cache.ts';
import { type BuildPorts, buildTool, sourceOf } from './build-tool.ts';
import { installCompilers } from './compilers.ts';
import { findCCompiler } from './native-compilers.ts';

export interface AuthorPorts extends BuildPorts {
  readonly installedTools: string;
}

export function wasmToolAuthor(ports: AuthorPorts): ToolAuthor {
  return {
    async template(language, name) {
      const files = templateFiles(language).map((file) => named(file, name));
      return [...files, { path: '.gitignore', content: 'node_modules/\n' }];
    },
    async build(directory, output) {
      replaceFile(output, await buildTool(ports, directory));
    },
    async installCompilers(directory, signal) {
      await installCompilers(ports, sourceOf(directory).set, signal);
    },
    async install(file, digest) {
      const component = readFileSync(file);
      if (sha256(component) !== digest) throw new Fault('wasm/changed', `${file} was changed meanwhile.`);
      mkdirSync(ports.installedTools, { recursive: true, mode: 0o700 });
      // The operator's own directory may be a link; one that a workspace brings is refused.
      replaceFile(path.join(realPath(ports.installedTools), `${digest}.wasm`), component);
      return path.join(ports.installedTools, `${digest}.wasm`);
    },
    findCCompiler: () => findCCompiler(ports),
  };
}

/** Replaces NAME in a template by the tool's name. */
function named({ path: file, content }: TemplateFile, name: string): TemplateFile {
  return { path: file, content: content.replaceAll(/\bNAME\b/g, name) };
}

/** Replaces the file atomically, so a tool that starts meanwhile reads the old or the new one whole. */
function replaceFile(file: string, content: Uint8Array): void {
  const directory = path.dirname(file);
  const fresh = temporaryName();
  try {
    const descriptor = openFile(path.join(directory, fresh), { flags: NEW });
    try {
      writeFileSync(descriptor, content);
    } finally {
      closeSync(descriptor);
    }
    renameIn(directory, fresh, path.basename(file));
  } catch (cause) {
    remove(path.join(directory, fresh));
    throw new Fault('files/unwritable', `${file} cannot be written.`, { cause });
  }
}

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
