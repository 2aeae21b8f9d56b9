/** robots.txt according to RFC 9309. */

export interface RobotsRules {
  /** Path and query, as in the request. */
  allows(target: string): boolean;
}

/** Rules for the crawler `product`, else those for `*`. */
export function parseRobots(text: string, product: string): RobotsRules {
  const groups = readGroups(text);
  const named = groups.filter((group) => group.products.has(product.toLowerCase()));
  const chosen = named.length > 0 ? named : groups.filter((group) => group.products.has('*'));
  const rules = chosen.flatMap((group) => group.rules);
  return { allows: (target) => isAllowed(rules, target) };
}

/** The longest matching pattern decides; of two equally long ones, the one that allows. */
function isAllowed(rules: readonly Rule[], target: string): boolean {
  const path = normalise(target).replace(/[*$]/g, (sign) => (sign === '*' ? '%2A' : '%24'));
  if (path === '/robots.txt') return true;
  let decisive: Rule | undefined;
  for (const rule of rules) {
    const isLonger = !decisive || rule.pattern.length > decisive.pattern.length;
    const isTie = decisive && rule.pattern.length === decisive.pattern.length && rule.allow;
    if ((isLonger || isTie) && fits(rule.pattern, path)) decisive = rule;
  }
  return decisive?.allow ?? true;
}

interface Rule {
  readonly allow: boolean;
  readonly pattern: string;
}

interface Group {
  readonly products: Set<string>;
  readonly rules: Rule[];
}

function readGroups(text: string): Group[] {
  const groups: Group[] = [];
  let current: Group | undefined;
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const [, key = '', value = ''] = /^\s*([^:#\s]+)\s*:([^#]*)/.exec(line) ?? [];
    const name = key.toLowerCase();
    if (name === 'user-agent') {
      // A rule ends the list of names; the next name begins another group.
      if (!current || current.rules.length > 0) {
        current = { products: new Set(), rules: [] };
        groups.push(current);
      }
      current.products.add(productToken(value.trim()));
    } else if (name === 'allow' || name === 'disallow') {
      const pattern = normalise(value.trim());
      current?.rules.push({ allow: pattern === '' || name === 'allow', pattern });
    }
  }
  return groups;
}

function productToken(value: string): string {
  if (value.startsWith('*')) return '*';
  return (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase();
}

/** One spelling for each octet: unreserved ones plain, all others beyond ASCII as `%XX`. */
function normalise(text: string): string {
  return text
    .replace(/\P{ASCII}+/gu, (characters) => encodeURI(characters.toWellFormed()))
    .replace(/%([0-9a-f]{2})/gi, (written, digits: string) => {
      const character = String.fromCharCode(Number.parseInt(digits, 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : written.toUpperCase();
    });
}

/** `*` matches any characters and a final `$` the end; otherwise a pattern is a prefix. */
function fits(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith('$');
  const [prefix = '', ...pieces] = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(prefix)) return false;
  const last = isAnchored ? pieces.pop() : undefined;
  let at = prefix.length;
  for (const piece of pieces) {
    const found = path.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  if (!isAnchored) return true;
  if (last === undefined) return at === path.length;
  return path.length - last.length >= at && path.endsWith(last);
}
