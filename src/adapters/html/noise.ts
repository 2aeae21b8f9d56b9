import { attribute, descendants, elementsOf, type HtmlElement, isElement, plainText } from './html-tree.ts';
import { type Measures, measure } from './main-content.ts';

/** `isThorough` also goes by class names, which can mislead. */
export function removeNoise(page: HtmlElement, isThorough: boolean): void {
  const measures = measure(page);
  const whole = measures.of(page).prose;
  const visit = (parent: HtmlElement, place: Place) => {
    const kept = parent.children.filter((child) => {
      if (!isElement(child)) return true;
      if (isNeverRead(child) || isSurrounding(child, place, measures)) return false;
      return !(isThorough && isNamedNoise(child, { place, measures, whole }));
    });
    parent.children.length = 0;
    for (const child of kept) parent.children.push(child);
    for (const child of elementsOf(parent)) visit(child, placeIn(child, place));
  };
  visit(page, 'page');
}

/** Inside `main` or `article`, class names mean less. */
type Place = 'page' | 'content' | 'quote';

function placeIn(element: HtmlElement, place: Place): Place {
  if (element.name === 'blockquote' || element.name === 'figure') return 'quote';
  return isContent(element) ? 'content' : place;
}

export function isContent(element: HtmlElement): boolean {
  return element.name === 'main' || element.name === 'article' || attribute(element, 'role') === 'main';
}

function isNeverRead(element: HtmlElement): boolean {
  if (element.name === 'script') return !attribute(element, 'type').startsWith('math/tex');
  if (UNREAD.has(element.name) || UNREAD_ROLES.has(attribute(element, 'role'))) return true;
  if (attribute(element, 'role') === 'tabpanel') return false;
  return isHidden(element) || (element.name === 'a' && PHRASES.test(plainText(element)));
}

const UNREAD = new Set(
  (
    'applet area audio button canvas datalist embed frame frameset head iframe link map meta meter nav noembed ' +
    'noframes noscript object optgroup option param progress search select source style svg template textarea ' +
    'title track video'
  ).split(' '),
);
const UNREAD_ROLES = new Set(
  'alertdialog dialog doc-toc menu menubar navigation scrollbar search tablist toolbar tooltip'.split(' '),
);
const PHRASES =
  /^(skip to (main )?content|skip navigation|edit this page|edit on (github|gitlab)|improve this page|view (page )?source|back to top|copy( code| link)?|share( this)?)$/i;

function isHidden(element: HtmlElement): boolean {
  if (element.attributes.has('hidden') && attribute(element, 'hidden') !== 'until-found') return true;
  // Formulas are hidden from screen readers because a spoken form is beside them.
  if (attribute(element, 'aria-hidden') === 'true') return element.name !== 'math';
  return /display:\s*none|visibility:\s*hidden/i.test(attribute(element, 'style'));
}

function isSurrounding(element: HtmlElement, place: Place, measures: Measures): boolean {
  const role = attribute(element, 'role');
  if (place === 'quote') return false;
  if (element.name === 'footer' || role === 'contentinfo') return true;
  if (element.name === 'aside' || role === 'complementary') {
    const { prose, links } = measures.of(element);
    return place === 'page' || links > prose;
  }
  if (element.name !== 'header' && role !== 'banner') return false;
  return place === 'page' && ![...descendants(element)].some(isContent);
}

interface Surroundings {
  readonly place: Place;
  readonly measures: Measures;
  readonly whole: number;
}

/** Trusts a class name only for a small part of the page, and inside the content for a very small one. */
function isNamedNoise(element: HtmlElement, { place, measures, whole }: Surroundings): boolean {
  if (element.name === 'body' || element.name === 'html' || isContent(element)) return false;
  const texts = [attribute(element, 'class')];
  // Inside the content an id is the name of a section: a chapter on cookies is no cookie banner.
  if (place === 'page' && element.name !== 'section') texts.push(attribute(element, 'id'));
  if (!texts.some((text) => text.split(/\s+/).some(isNoisyName))) return false;
  const most = place === 'page' ? 0.3 : 0.15;
  return measures.of(element).prose <= most * whole && ![...descendants(element)].some(isContent);
}

function isNoisyName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_:]+/);
  if (words.some((word) => NEGATIONS.has(word))) return false;
  return words.some((word) => NOISE.has(word)) || NOISE_PHRASES.test(words.join('-'));
}

const NEGATIONS = new Set('enabled has hide layout no open show with without'.split(' '));
const NOISE = new Set(
  (
    'advert adverts advertisement advertising breadcrumb breadcrumbs cookie cookies consent gdpr masthead navbar ' +
    'newsletter pagination pager popup promo sharing sidebar sidenav skiplink sponsor sponsored sponsors ' +
    'subscribe toc'
  ).split(' '),
);
const NOISE_PHRASES =
  /^(ad|ads|ad-(slot|unit|container|wrapper|banner)|.*-ads?|share|social|share-.*|social-(links|share|media|icons|buttons).*|(site|page|main|top|left|right|side|sub)-(nav|menu|header|footer)|nav|menu|related-(posts|articles|links|content)|table-of-contents|skip-(link|nav|to-content)|edit-(this-)?page.*|prev-next.*|modal-overlay|sr-only|visually-hidden|screen-reader-text|back-to-top|copy-(button|btn)|feedback-.*|was-this-helpful)$/;
