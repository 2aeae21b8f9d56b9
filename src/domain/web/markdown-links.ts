export interface PageLink {
  readonly title: string;
  readonly url: string;
}

/** Absolute web addresses that a Markdown text links to, each once, in order; ignores code. */
export function markdownLinks(markdown: string, baseUrl: string): PageLink[] {
  const links = new Map<string, PageLink>();
  for (const line of linesOutsideFences(markdown)) {
    for (const [, title = '', bracketed, bare = ''] of line.replace(/`[^`]*`/g, '').matchAll(LINK)) {
      const url = URL.parse(bracketed ?? bare, baseUrl);
      if (!url || !/^https?:$/.test(url.protocol)) continue;
      url.hash = '';
      if (!links.has(url.href)) links.set(url.href, { title: title.trim(), url: url.href });
    }
  }
  return [...links.values()];
}

/** `[title](target "more")`, but not an image. */
const LINK = /(?<!!)\[([^[\]]*)\]\(\s?(?:<([^<>]+)>|([^\s<>()]+))(?:\s[^()]*)?\)/g;

function linesOutsideFences(markdown: string): string[] {
  let fence = '';
  return markdown.split('\n').filter((line) => {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '') {
      fence = mark;
      return mark === '';
    }
    if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    return false;
  });
}
