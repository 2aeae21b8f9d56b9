import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openTopics } from '../../src/domain/knowledge-base/open-topics.ts';
import { preload } from '../../src/domain/knowledge-base/preload.ts';
import type { KnowledgeBase, Topic } from '../../src/domain/knowledge-base/topic.ts';
import { type MemoryEntry, topicFilesInMemory } from '../doubles/subject-files.ts';

/** Typed from the design, not recorded from output; a last line end is the file's own. */
export function golden(name: string): string {
  const file = path.join(import.meta.dirname, '../golden/knowledge-base', name);
  return readFileSync(file, 'utf8').replace(/\n$/, '');
}

export const PROJECT_FILES: Record<string, MemoryEntry> = {
  '.ken/kb/project/maintainers/jean.md': '...file content...\n',
  '.ken/kb/project/maintainers/ryan.md': '...file content...\n',
};
export const SKILLS_FILES: Record<string, MemoryEntry> = {
  '.ken/kb/skills/ast-grep.md': '...content...\n',
  '.ken/kb/skills/ast-grep/.rules.md': 'All the rules.\n',
};

export function topic(id: string, more: Partial<Topic> = {}): Topic {
  const defaults = { enabled: true, followSymlinks: false, learned: [], disabled: [] };
  return { id, directory: `.ken/kb/${id}`, ...defaults, ...more };
}

export const PROJECT = topic('project', {
  title: 'General Project Knowledge',
  introduction: 'foo bar baz...',
});
export const SKILLS = topic('skills', { title: 'Learnable Assistant Skills' });

export function knowledgeBase(topics: readonly Topic[], more: Partial<KnowledgeBase> = {}): KnowledgeBase {
  return { topics, maxSubjectBytes: 262_144, preloadBudgetTokens: 0, ...more };
}

export async function preloaded(files: Readonly<Record<string, MemoryEntry>>, knowledge: KnowledgeBase) {
  return preload(await openTopics({ topicFiles: topicFilesInMemory(files) }, knowledge), knowledge);
}
