import { compareCodePoints } from '../../base/text.ts';
import { inertName } from './inert-text.ts';

export interface SubjectFile {
  readonly path: string;
  readonly slug: string;
  readonly hidden: boolean;
  readonly isSkill: boolean;
  /** Another file would have had the same slug. */
  readonly collides: boolean;
  /** `available`, until the topic's own lists are looked at. */
  readonly state: SubjectState;
}

/** `learned`: already in the system prompt. `disabled`: an assistant cannot find it at all. */
export type SubjectState = 'available' | 'learned' | 'disabled';

/** Sorted by slug; does not depend on the order of the paths. */
export function subjectsOf(paths: readonly string[]): FoundSubject[] {
  const skills = skillDirectories(paths);
  const candidates = paths.map((path) => candidate(path, skills));
  separate(candidates);
  return candidates;
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

/** Three fields take half the memory of six, and a topic may have a hundred thousand subjects. */
export class FoundSubject implements SubjectFile {
  readonly path: string;
  slug: string;
  #traits: number;

  constructor(path: string, slug: string, traits: Pick<SubjectFile, 'hidden' | 'isSkill'>) {
    this.path = path;
    this.slug = slug;
    this.#traits = (traits.hidden ? HIDDEN : 0) | (traits.isSkill ? SKILL : 0);
  }

  get hidden(): boolean {
    return (this.#traits & HIDDEN) !== 0;
  }

  get isSkill(): boolean {
    return (this.#traits & SKILL) !== 0;
  }

  get collides(): boolean {
    return (this.#traits & COLLIDES) !== 0;
  }

  get state(): SubjectState {
    return STATES[this.#traits >> STATE_SHIFT] ?? 'available';
  }

  plain(): SubjectFile {
    const { path, slug, hidden, isSkill, collides, state } = this;
    return { path, slug, hidden, isSkill, collides, state };
  }

  lengthen(slug: string): void {
    this.slug = slug;
    this.#traits |= COLLIDES;
  }

  withState(state: SubjectState): FoundSubject {
    const subject = new FoundSubject(this.path, this.slug, this);
    subject.#traits = this.#traits;
    subject.setState(state);
    return subject;
  }

  setState(state: SubjectState): void {
    const others = this.#traits & (HIDDEN | SKILL | COLLIDES);
    this.#traits = others | (STATES.indexOf(state) << STATE_SHIFT);
  }
}

const HIDDEN = 1;
const SKILL = 2;
const COLLIDES = 4;
const STATE_SHIFT = 3;
const STATES: readonly SubjectState[] = ['available', 'learned', 'disabled'];

/** Those that are longer than `SHORT`. */
type Forms = Map<FoundSubject, number>;

function candidate(path: string, skills: ReadonlySet<string>): FoundSubject {
  const skill = skills.size > 0 ? enclosingSkill(path, skills) : undefined;
  const isSkill = skill !== undefined && path === skill + SKILL_FILE;
  const hidden = path.startsWith('.') || path.includes('/.') || (skill !== undefined && !isSkill);
  return new FoundSubject(path, slugIn(path, isSkill, SHORT), { hidden, isSkill });
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
function separate(candidates: FoundSubject[]): void {
  const forms: Forms = new Map();
  for (;;) {
    candidates.sort((a, b) => compareCodePoints(a.slug, b.slug));
    const crowded = sharing(candidates);
    if (crowded.length === 0) return;
    for (const group of crowded) lengthen(group, forms);
  }
}

function sharing(sorted: readonly FoundSubject[]): FoundSubject[][] {
  const groups: FoundSubject[][] = [];
  sorted.forEach((one, at) => {
    const before = sorted[at - 1];
    if (before?.slug !== one.slug) return;
    const group = groups.at(-1);
    if (group?.[0]?.slug === one.slug) group.push(one);
    else groups.push([before, one]);
  });
  return groups;
}

function lengthen(group: readonly FoundSubject[], forms: Forms): void {
  const formOf = (one: FoundSubject) => forms.get(one) ?? SHORT;
  const shortest = group.reduce((least, one) => Math.min(least, formOf(one)), WHOLE_PATH);
  for (const one of group.filter((each) => formOf(each) === shortest)) {
    forms.set(one, shortest + 1);
    one.lengthen(slugIn(one.path, one.isSkill, shortest + 1));
  }
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
