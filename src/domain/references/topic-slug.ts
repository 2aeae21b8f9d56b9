import type { Hasher } from '../../base/hasher.ts';

const LONGEST = 80;

/** The directory of a topic: its title in ASCII, or a digest where nothing is left of that. */
export function slugOfTitle(hasher: Hasher, title: string): string {
  const slug = asciiSlug(title).slice(0, LONGEST).replace(/-$/, '');
  return slug === '' ? hasher.sha256(title).slice(0, 8) : slug;
}

/** For a title whose own slug belongs to another title: `C++` and `C#` are both `c`. */
export function otherSlugOfTitle(hasher: Hasher, title: string): string {
  return `${slugOfTitle(hasher, title)}-${hasher.sha256(title).slice(0, 6)}`;
}

/** Whether a reader would take two titles for the same. */
export function isSameTitle(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(title: string): string {
  return title.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Words of ASCII letters and digits with hyphens between; accents fall off, everything else separates. */
export function asciiSlug(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
