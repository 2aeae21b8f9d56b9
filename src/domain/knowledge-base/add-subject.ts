import { Fault } from '../../base/fault.ts';
import { portabilityProblem } from '../../base/text.ts';
import { extensionOf, subjectsOf } from './slugs.ts';
import { isListablePath, type Listing } from './subject-files.ts';
import { describeTextProblem, textProblem } from './subject-text.ts';

export interface SubjectPlan {
  /** As typed: `maintainers/jean`, or with an extension. A leading dot hides the subject. */
  readonly name: string;
  /** Extension of the file that it is copied from. */
  readonly extension: string | undefined;
}

export interface PlannedSubject {
  readonly path: string;
  readonly slug: string;
}

/** A Fault when the name is invalid, or two subjects would share a slug. */
export function planSubject(
  { files }: Pick<Listing, 'files'>,
  { name, extension }: SubjectPlan,
): PlannedSubject {
  if (!isListablePath(name) || name.endsWith('.')) {
    throw new Fault('kb/invalid-name', `"${name}" cannot be the name of a subject.`, {
      hint: 'Write a relative path like maintainers/ada.',
    });
  }
  const problem = portabilityProblem(name);
  if (problem)
    throw new Fault('kb/invalid-name', `"${name}" cannot be the name of a subject: ${problem}.`, {
      hint: 'Use another name: a workspace is shared with people on other systems.',
    });
  const path = extensionOf(name) ? name : `${name}.${extension || 'md'}`;
  const subjects = subjectsOf([...files.filter((file) => file !== path), path]);
  const planned = subjects.find((subject) => subject.path === path);
  const isTaken = files.includes(path) || planned?.collides;
  if (!planned || isTaken) {
    throw new Fault('files/exists', `There is a subject of that name already: ${name}.`, {
      hint: 'Use another name, or edit its file.',
    });
  }
  return { path, slug: planned.slug };
}

/** A Fault for content that cannot be learned. */
export function requireText(content: Uint8Array): void {
  const problem = textProblem(content);
  if (!problem) return;
  throw new Fault('kb/unreadable', `This cannot be a subject: ${describeTextProblem({ problem })}.`, {
    hint: 'Subjects are text in UTF-8.',
  });
}
