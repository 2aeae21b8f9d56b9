/** Scans XML once from start to end, in the time of one scan whatever it holds: nothing in it is fetched or expanded. */

export type XmlPiece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'open' | 'close';
      /** As it is written, with its prefix. */
      readonly name: string;
      /** The tag without its brackets. */
      readonly tag: string;
      readonly isEmpty: boolean;
    };

/** Leaves out comments, declarations and instructions. Ends at a tag that never ends. */
export function* scanXml(xml: string): Generator<XmlPiece> {
  for (let at = 0; at < xml.length; ) {
    const open = xml.indexOf('<', at);
    const until = open === -1 ? xml.length : open;
    if (until > at) yield { kind: 'text', text: plainXml(xml.slice(at, until)) };
    if (open === -1) return;
    const special = SPECIALS.find(({ begins }) => xml.startsWith(begins, open));
    const end = special ? xml.indexOf(special.ends, open + special.begins.length) : endOfTag(xml, open + 1);
    if (end === -1) return;
    if (special?.isText) yield { kind: 'text', text: xml.slice(open + special.begins.length, end) };
    else if (!special) yield tagFrom(xml.slice(open + 1, end));
    at = end + (special?.ends.length ?? 1);
  }
}

const SPECIALS = [
  { begins: '<!--', ends: '-->', isText: false },
  { begins: '<![CDATA[', ends: ']]>', isText: true },
  { begins: '<?', ends: '?>', isText: false },
  { begins: '<!', ends: '>', isText: false },
];

/** Brackets inside of quotation marks end no tag. */
function endOfTag(xml: string, from: number): number {
  let quote = '';
  for (let at = from; at < xml.length; at++) {
    const letter = xml.charAt(at);
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === '>') return at;
    else if (letter === '"' || letter === "'") quote = letter;
  }
  return -1;
}

function tagFrom(tag: string): XmlPiece {
  const [, slash, name = ''] = /^(\/?)([^\s/>]*)/.exec(tag) ?? [];
  return { kind: slash ? 'close' : 'open', name, tag, isEmpty: tag.endsWith('/') };
}

/** Undefined when the tag has no such attribute. */
export function attributeOf(tag: string, name: string): string | undefined {
  const at = new RegExp(`\\s${RegExp.escape(name)}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return at ? plainXml(at[1] ?? at[2] ?? '') : undefined;
}

/** The names of the characters from U+00A0 on, in their order. */
const LATIN =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute
  micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil
  Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute
  Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute
  icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`.split(
    /\s+/,
  );
const FIRST_LATIN = 0xa0;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...LATIN.map((name, at) => [name, String.fromCodePoint(FIRST_LATIN + at)] as const),
  ...Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }),
  ...Object.entries({ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”' }),
  ...Object.entries({ bdquo: '„', bull: '•', hellip: '…', prime: '′', euro: '€', trade: '™', minus: '−' }),
]);

/** Knows the entities of XML, and the usual ones of HTML; others stay as they are. */
export function plainXml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
