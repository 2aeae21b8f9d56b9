/** `NAME/SKILL.md`: what its front matter says about it. */

import { parseFrontMatter } from './front-matter.ts';
import { inertLine } from './inert-text.ts';
import type { SubjectFile } from './slugs.ts';
import type { SubjectFiles } from './subject-files.ts';
import { readSubjectText } from './subject-text.ts';

const FRONT_MATTER_BYTES = 16_384;
const MAX_DESCRIPTION_CHARACTERS = 1024;

/** One inert line; nothing for a subject that is no skill, or a skill that does not describe itself. */
export function skillDescription(files: SubjectFiles, subject: SubjectFile): string | undefined {
  if (!subject.isSkill) return undefined;
  const read = readSubjectText(files, subject.path, FRONT_MATTER_BYTES);
  const description = read.ok ? parseFrontMatter(read.text)?.fields.description : undefined;
  if (!description) return undefined;
  return inertLine([...description].slice(0, MAX_DESCRIPTION_CHARACTERS).join('')) || undefined;
}
