import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';

export const TOPICS = `
[kb.topic.project]
title = "General Project Knowledge"
introduction = "How we work."
subjects = ".ken/kb/project"
learned = ["overview"]

[kb.topic.skills]
subjects = "skills"
`;

/** Two topics, one with a hidden subject and one that would be preloaded. */
export function gardenWorkspace(): Sandbox {
  const place = sandboxHere(TOPICS);
  place.write('.ken/kb/project/overview.md', '# Overview\n\nA garden.\n');
  place.write('.ken/kb/project/deploy.md', '# Deploy\n\nPush to main.\nWait.\n');
  place.write('.ken/kb/project/.secret.md', 'hidden\n');
  place.write('skills/pdf/SKILL.md', '---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n');
  return place;
}
