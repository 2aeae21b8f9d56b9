import path from 'node:path';
import { git } from '../git/repositories.ts';
import { withCompilers } from '../tools/compilers.ts';
import type { JsonCall } from './json-calls.ts';
import type { Sandbox } from './ken.ts';
import { writeOwnConfig } from './own-config.ts';

/** Makes the place in which a call of docs/json.md answers. */
export async function prepareCall(place: Sandbox, call: JsonCall): Promise<void> {
  const { files = {}, repository, before = [] } = call;
  if (call.compiles) withCompilers(place);
  for (const [file, content] of Object.entries(files)) place.write(file, content);
  if (repository) {
    for (const [file, content] of Object.entries(repository)) place.write(`repository/${file}`, content);
    const directory = path.join(place.root, 'repository');
    for (const words of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-qm', 'x'],
    ])
      git(directory, words);
  }
  for (const step of before) {
    if (typeof step === 'string') writeOwnConfig(place.home, step);
    else await place.ken(await wordsOf(place, step));
  }
}

/** The words of a call, with ids in place of `ID` and `EVENT`. */
export async function wordsOf({ ken }: Sandbox, words: readonly string[]): Promise<string[]> {
  if (words.includes('EVENT')) {
    const { stdout } = await ken(['k', 'show', 'procedural/ports', '--json']);
    const event = JSON.parse(stdout).entry.provenance.replace('event:', '');
    return words.map((word) => (word === 'EVENT' ? event : word));
  }
  if (!words.includes('ID')) return [...words];
  const { stdout } = await ken(['approvals', 'ls', '--all', '--json']);
  return words.map((word) => (word === 'ID' ? JSON.parse(stdout).approvals[0].id : word));
}
