/** Which start tags end what is still open: the part of the HTML standard that pages in the wild rely on. */

export const VOID_ELEMENTS = words(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
);

/** What a start tag ends, if it is open and no boundary lies between. */
export function endedBy(name: string): Ending | undefined {
  return ENDINGS.get(name);
}

export interface Ending {
  readonly ends: ReadonlySet<string>;
  readonly boundaries: ReadonlySet<string>;
}

/** No end tag reaches out of these, so that a stray `</div>` in a cell leaves its table whole. */
export const SCOPES = words('applet caption html marquee object table td template th');

/** One heading ends the other, whichever end tag it has. */
export const HEADINGS = words('h1 h2 h3 h4 h5 h6');

/** End tags of tables reach through cells, and stop at the table itself. */
export const TABLE_PARTS = words('caption tbody td tfoot th thead tr');
export const TABLE_SCOPES = words('html table template');

/** Inside these only parts of the table may stand; what else is found there belongs before the table. */
export const TABLE_FRAMES = words('table tbody tfoot thead tr');
export const TABLE_CONTENT = words('caption col colgroup script style tbody td template tfoot th thead tr');

const LIST_SCOPES = union(SCOPES, words('menu ol ul'));
const PARAGRAPH_SCOPES = union(SCOPES, words('button'));
const SECTIONS = words('tbody tfoot thead');

const ENDINGS = new Map<string, Ending>();
for (const name of words(
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section summary table ul',
)) {
  ENDINGS.set(name, { ends: words('p'), boundaries: PARAGRAPH_SCOPES });
}
ENDINGS.set('a', { ends: words('a'), boundaries: SCOPES });
ENDINGS.set('li', { ends: words('li'), boundaries: LIST_SCOPES });
for (const name of ['dd', 'dt']) {
  ENDINGS.set(name, { ends: words('dd dt'), boundaries: union(SCOPES, words('dl')) });
}
for (const name of ['rp', 'rt']) {
  ENDINGS.set(name, { ends: words('rp rt'), boundaries: union(SCOPES, words('ruby')) });
}
for (const name of ['td', 'th']) {
  ENDINGS.set(name, { ends: words('caption td th'), boundaries: union(TABLE_SCOPES, words('tr')) });
}
ENDINGS.set('tr', { ends: words('caption tr'), boundaries: union(TABLE_SCOPES, SECTIONS) });
for (const name of SECTIONS) {
  ENDINGS.set(name, { ends: union(SECTIONS, words('caption tr')), boundaries: TABLE_SCOPES });
}
ENDINGS.set('option', { ends: words('option'), boundaries: words('select datalist optgroup') });

/** What may stand in a head; anything else means that the body has begun. */
export const HEAD_ELEMENTS = words('base basefont bgsound link meta noscript script style template title');

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

function union(...sets: ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}
