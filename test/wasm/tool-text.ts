import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { temporaryDirectory } from '../temporary-directory.ts';
import { toolWat } from './tool-wat.ts';

/** The file of a tool whose `run` has this body; `more` stands beside it in the module. */
export async function toolFromText(body: string, more?: string): Promise<string> {
  const file = path.join(temporaryDirectory(), 'tool.wasm');
  writeFileSync(file, await parse(toolWat(body, more)));
  return file;
}
