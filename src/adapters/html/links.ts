import { attribute, findElement, type HtmlElement, plainText } from './html-tree.ts';

export interface Links {
  /** Returns the absolute address; `undefined` for a link within the page, and for schemes that are not followed. */
  resolve(href: string): string | undefined;
}

/** Resolves addresses relative to `<base>`, where the page has one, and to its own address otherwise. */
export function linksOf(page: HtmlElement, pageUrl: string): Links {
  const base = baseOf(page, pageUrl);
  const here = withoutFragment(pageUrl);
  return {
    resolve(href) {
      if (/^\s*(#|$)/.test(href)) return undefined;
      const url = URL.parse(href, base);
      if (!url || !FOLLOWED.has(url.protocol)) return undefined;
      return url.hash !== '' && withoutFragment(url.href) === here ? undefined : url.href;
    },
  };
}

/** Whether an element is a sign or a set phrase beside a heading that links to the heading itself. */
export function isPermalink(element: HtmlElement): boolean {
  return attribute(element, 'href').includes('#') && PERMALINK.test(plainText(element));
}

const FOLLOWED = new Set(['http:', 'https:', 'mailto:']);
const PERMALINK = /^([#¶§ⓘ🔗\u200b]*|permalink( to .*)?|(direct )?link to .*|anchor|copy link)$/iu;

function baseOf(page: HtmlElement, pageUrl: string): string {
  const base = findElement(page, (element) => element.name === 'base' && element.attributes.has('href'));
  const url = base && URL.parse(attribute(base, 'href'), pageUrl);
  return url && FOLLOWED.has(url.protocol) ? url.href : pageUrl;
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}
