/** `learn` as a component: the same function as everywhere else, over the one directory that it is given. */

import './text-decoder.ts';
import { getDirectories } from 'wasi:filesystem/preopens@0.2.12';
import type { JsonObject } from '../../src/base/json.ts';
import { learnFromArguments } from '../../src/domain/knowledge-base/learn/learn.ts';
import { noFiles, type SubjectFiles } from '../../src/domain/knowledge-base/subject-files.ts';
import type { ToolOutcome } from '../../src/domain/tools/tool.ts';
import { wasiSubjectFiles } from './wasi-subject-files.ts';

export function run(
  { root, action }: { readonly root: string; readonly action: string },
  _name: string,
  argumentsJson: string,
): WitOutcome {
  if (action === 'format-arguments') return { tag: 'success', val: argumentsJson };
  const given: JsonObject = JSON.parse(argumentsJson);
  return witOutcome(learnFromArguments(subjectFiles(root), given).outcome);
}

type WitOutcome =
  | { tag: 'success'; val: string }
  | { tag: 'error'; val: { message: string; trace: readonly string[]; transient: boolean } };

function subjectFiles(root: string): SubjectFiles {
  const [directory] = getDirectories().find(([, path]) => path === root) ?? [];
  return directory ? wasiSubjectFiles(directory) : noFiles('missing');
}

function witOutcome(outcome: ToolOutcome): WitOutcome {
  if (outcome.type === 'success') return { tag: 'success', val: outcome.text };
  if (outcome.type === 'needs-input') throw new Error('learn asks no questions');
  const { message, trace, transient } = outcome;
  return { tag: 'error', val: { message, trace, transient } };
}

/**
 * Code that has run when the component is built is part of it: this compiles the expressions that every call needs,
 * so that no call has to.
 */
function rehearse(): void {
  const files: Record<string, string> = { 'a.md': '# A\n\n</subject> `x`', 'b/c.toml': 'a = 1', '.d.md': '' };
  const bytesOf = (path: string) => Uint8Array.from(files[path] ?? '', (one) => one.charCodeAt(0));
  const rehearsal: SubjectFiles = {
    list: () => ({ files: Object.keys(files), skipped: [] }),
    read: (path) => ({ ok: true, bytes: bytesOf(path), size: bytesOf(path).length }),
  };
  const topic = {
    id: 't',
    title: 'T',
    description: null,
    learned: ['b/*'],
    disabled: ['x'],
    max_subject_bytes: 99,
  };
  for (const subjects of [null, 'a', '**', 'nothing-like-it', '{a,[b]?}/**']) {
    learnFromArguments(rehearsal, { topic: 't', subjects, _topic: topic });
  }
}

rehearse();
