import { compareCodePoints } from '../../base/text.ts';
import { inertName } from './inert-text.ts';

export interface SubjectFile {
  readonly path: string;
  readonly slug: string;
  readonly hidden: boolean;
  readonly isSkill: boolean;
  /** Another file would have had the same slug. */
  readonly collides: boolean;
}

/** Sorted by slug; does not depend on the order of the paths. */
export function subjectsOf(paths: readonly string[]): SubjectFile[] {
  const skills = skillDirectories(paths);
  const candidates = paths.map((path) => candidate(path, skills));
  separate(candidates);
  return candidates.map(toSubject);
}

/** Text after the last dot of the file name, leading dots aside; empty without one. */
export function extensionOf(path: string): string {
  const name = withoutLeadingDots(path.slice(path.lastIndexOf('/') + 1));
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1) : '';
}

const SKILL_FILE = '/SKILL.md';

/** Forms of a slug: without extension and dots (0), with its extension (1), the whole path (2). */
const SHORT = 0;
const WHOLE_PATH = 2;

interface Candidate {
  readonly path: string;
  readonly hidden: boolean;
  readonly isSkill: boolean;
  form: number;
  slug: string;
}

function candidate(path: string, skills: ReadonlySet<string>): Candidate {
  const skill = skills.size > 0 ? enclosingSkill(path, skills) : undefined;
  const isSkill = skill !== undefined && path === skill + SKILL_FILE;
  const hidden = path.startsWith('.') || path.includes('/.') || (skill !== undefined && !isSkill);
  return { path, hidden, isSkill, form: SHORT, slug: slugIn(path, isSkill, SHORT) };
}

function slugIn(path: string, isSkill: boolean, form: number): string {
  if (form === WHOLE_PATH) return inertName(path);
  if (isSkill && form === SHORT) return inertName(withoutDots(path.slice(0, -SKILL_FILE.length)));
  const extension = form === SHORT ? extensionOf(path) : '';
  const kept = extension ? path.slice(0, -extension.length - 1) : path;
  return inertName(withoutDots(kept));
}

function withoutDots(path: string): string {
  if (!path.startsWith('.') && !path.includes('/.')) return path;
  return path.split('/').map(withoutLeadingDots).join('/');
}

/** A name of nothing but dots keeps them. */
function withoutLeadingDots(name: string): string {
  return name.replace(/^\.+(?=[^.])/, '');
}

/** Sorts by slug. Files with the same slug take longer forms until all differ, at the latest with whole paths. */
function separate(candidates: Candidate[]): void {
  for (;;) {
    candidates.sort((a, b) => compareCodePoints(a.slug, b.slug));
    const crowded = sharing(candidates);
    if (crowded.length === 0) return;
    for (const group of crowded) lengthen(group);
  }
}

function sharing(sorted: readonly Candidate[]): Candidate[][] {
  const groups: Candidate[][] = [];
  sorted.forEach((one, at) => {
    const before = sorted[at - 1];
    if (before?.slug !== one.slug) return;
    const group = groups.at(-1);
    if (group?.[0]?.slug === one.slug) group.push(one);
    else groups.push([before, one]);
  });
  return groups;
}

function lengthen(group: readonly Candidate[]): void {
  const form = Math.min(...group.map((one) => one.form));
  for (const one of group) {
    if (one.form !== form) continue;
    one.form += 1;
    one.slug = slugIn(one.path, one.isSkill, one.form);
  }
}

function toSubject({ path, slug, hidden, isSkill, form }: Candidate): SubjectFile {
  return { path, slug, hidden, isSkill, collides: form !== SHORT };
}

function skillDirectories(paths: readonly string[]): ReadonlySet<string> {
  return new Set(
    paths.filter((path) => path.endsWith(SKILL_FILE)).map((path) => path.slice(0, -SKILL_FILE.length)),
  );
}

/** The outermost one: a skill inside a skill is a supporting file. */
function enclosingSkill(path: string, skills: ReadonlySet<string>): string | undefined {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const directory = path.slice(0, slash);
    if (skills.has(directory)) return directory;
  }
  return undefined;
}
