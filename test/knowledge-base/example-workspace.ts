import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';

export const CONFIG = `[kb.topic.project]
title = "General Project Knowledge"
introduction = "foo bar baz..."
subjects = ".ken/kb/project"

[kb.topic.skills]
title = "Learnable Assistant Skills"
subjects = ".ken/kb/skills"
`;

/** The two topics of the design's examples, on disk. */
export function exampleWorkspace(config = CONFIG): Sandbox {
  const box = sandboxHere(config);
  box.write('.ken/kb/project/maintainers/jean.md', '...file content...\n');
  box.write('.ken/kb/project/maintainers/ryan.md', '...file content...\n');
  box.write('.ken/kb/skills/ast-grep.md', '...content...\n');
  box.write('.ken/kb/skills/ast-grep/.rules.md', 'All the rules.\n');
  return box;
}

export function goldenJson(name: string): unknown {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, '../golden/knowledge-base', name), 'utf8'));
}
