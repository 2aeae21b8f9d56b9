import type { Subject } from './catalog.ts';
import { parseFrontMatter, writeFrontMatter } from './front-matter.ts';
import { titleLine } from './learn/search-subjects.ts';
import type { OpenTopic } from './open-topics.ts';
import { describeTextProblem, rawSubject, readSubjectText } from './subject-text.ts';

export interface SkillExport {
  readonly skills: readonly ExportedSkill[];
  readonly leftOut: readonly { readonly slug: string; readonly why: string }[];
}

export interface ExportedSkill {
  readonly name: string;
  readonly slug: string;
  /** Relative to the target directory. */
  readonly files: readonly NewFile[];
}

/** Every visible subject becomes a skill. A hidden one goes with the skill above it, or is left out. */
export function exportSkills(open: OpenTopic): SkillExport {
  const reachable = open.catalog.reachable.all;
  const names = skillNames(reachable.filter(({ hidden }) => !hidden).map(({ slug }) => slug));
  const files = new Map<string, NewFile[]>([...names.keys()].map((slug) => [slug, []]));
  const leftOut: { slug: string; why: string }[] = [];
  for (const subject of reachable) {
    const owner = ownerOf(subject, names);
    const made =
      owner === undefined
        ? 'it is hidden and belongs to no skill'
        : exportedFile(open, subject, owner, names);
    if (typeof made === 'string') leftOut.push({ slug: subject.slug, why: made });
    else files.get(owner ?? '')?.push(made);
  }
  const skills = [...names].map(([slug, name]) => ({ slug, name, files: files.get(slug) ?? [] }));
  return { skills: skills.filter((skill) => skill.files.length > 0), leftOut };
}

/** Lower case, digits and hyphens, at most 64; equal names get a number. */
function skillNames(slugs: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    slugs.map((slug) => {
      const name = uniqueName(skillName(slug), taken);
      taken.add(name);
      return [slug, name];
    }),
  );
}

function skillName(slug: string): string {
  const name = slug
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return name.slice(0, MAX_NAME).replace(/^-|-$/g, '') || 'skill';
}

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
const MAX_BYTES = 16 * 1024 * 1024;

function uniqueName(name: string, taken: ReadonlySet<string>): string {
  let unique = name;
  for (let number = 2; taken.has(unique); number++) {
    const suffix = `-${number}`;
    unique = name.slice(0, MAX_NAME - suffix.length) + suffix;
  }
  return unique;
}

/** The visible subject that a file is exported with: itself, or the nearest one above a hidden one. */
function ownerOf({ slug, hidden }: Subject, names: ReadonlyMap<string, string>): string | undefined {
  if (!hidden) return slug;
  const parts = slug.split('/');
  for (let length = parts.length - 1; length > 0; length--) {
    const above = parts.slice(0, length).join('/');
    if (names.has(above)) return above;
  }
  return undefined;
}

function exportedFile(
  { files }: OpenTopic,
  subject: Subject,
  owner: string,
  names: ReadonlyMap<string, string>,
): NewFile | string {
  const name = names.get(owner) ?? owner;
  const raw = files.read(subject.path, MAX_BYTES);
  if (!raw.ok) return describeTextProblem({ problem: 'unreadable' });
  if (raw.size > raw.bytes.length) return `it has more than ${MAX_BYTES} bytes`;
  if (subject.hidden) return { path: `${name}/${supportPath(subject, owner)}`, content: raw.bytes.slice() };
  const read = readSubjectText(files, subject.path, MAX_BYTES);
  if (!read.ok) return describeTextProblem(read);
  const isWhole = subject.isSkill && parseFrontMatter(read.text)?.fields.name === name;
  const content = isWhole ? read.text : withFrontMatter(name, read.text, rawSubject(subject.path, read));
  return { path: `${name}/SKILL.md`, content };
}

/** Path below its skill, without the dots that hid it unless two paths would be equal. */
function supportPath({ path, collides }: Subject, owner: string): string {
  const below = path.split('/').slice(owner.split('/').length);
  if (collides) return below.join('/');
  return below.map((part) => part.replace(/^\.+(?=[^.])/, '')).join('/');
}

function withFrontMatter(name: string, text: string, formatted: string): string {
  const matter = parseFrontMatter(text);
  const description = matter?.fields.description || titleLine(text) || name;
  const body = matter?.fields.description ? matter.body : formatted;
  const shown = [...description].slice(0, MAX_DESCRIPTION).join('');
  return `${writeFrontMatter({ name, description: shown })}\n${body}${body.endsWith('\n') ? '' : '\n'}`;
}

/** Creates files, and changes the one that is named. A link that leaves the directory is a Fault. */
export interface NewFiles {
  /**
   * Creates the directory and the files below it, or nothing: a Fault when a name is taken, or a link on the way
   * leaves the directory. Each file appears whole. With `keepsEqual` a file that is there with the same content is left
   * as it is, so that what was interrupted can be done again.
   */
  create(
    directory: string,
    files: readonly NewFile[],
    options?: { readonly keepsEqual?: boolean },
  ): Promise<void>;
  /** Creates a file as `create` does, whose content comes in parts and may be larger than the memory. */
  createInParts(
    directory: string,
    relative: string,
    writeParts: (put: (part: Uint8Array) => void) => Promise<void>,
  ): Promise<void>;
  /** Does nothing if it exists. A link that leaves `root` is a Fault. */
  makeDirectory(root: string, relative: string): Promise<void>;
  /** Replaces the content of a file that exists, as a whole. A Fault when it should hold a text that it does not. */
  replace(
    directory: string,
    relative: string,
    content: Uint8Array,
    options?: { readonly holds?: string },
  ): Promise<void>;
  remove(directory: string, relative: string): Promise<void>;
}

export interface NewFile {
  /** Relative to the directory, `/`-separated. */
  readonly path: string;
  readonly content: string | Uint8Array;
}
