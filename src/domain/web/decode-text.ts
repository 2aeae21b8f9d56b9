/** Uses the byte order mark, else the header, else the page's own declaration, else a guess from the bytes. */
export function decodeText(bytes: Uint8Array, type: MediaType): string {
  const declared = MARKUP.test(type.name) || type.name === '' ? declaredCharset(bytes) : undefined;
  for (const label of [markedCharset(bytes), type.charset, declared]) {
    const text = label === undefined ? undefined : decodeAs(bytes, label);
    if (text !== undefined) return text;
  }
  return decodeUndeclared(bytes);
}

const MARKUP = /^(text\/html|application\/xhtml\+xml|text\/xml|application\/xml|.*\+xml)$/;

function markedCharset([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

/** From `<meta charset>`, its older form, or the XML declaration, near the beginning of the page. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 4096)).replace(/<!--.*?(-->|$)/gs, '');
  const [, xml] = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/i.exec(start) ?? [];
  const [, meta] = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start) ?? [];
  const label = (meta ?? xml)?.toLowerCase();
  // A text that is readable byte by byte up to here is not UTF-16.
  return label?.startsWith('utf-16') ? 'utf-8' : label;
}

function decodeAs(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // An unknown encoding is ignored.
    return undefined;
  }
}

/** Valid UTF-8 is hardly ever anything else; other pages use the old default encoding of the web. */
function decodeUndeclared(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

interface MediaType {
  /** Lower case, `text/html`; empty when there is none. */
  readonly name: string;
  readonly charset: string | undefined;
}

export function parseMediaType(header: string | undefined): MediaType {
  const [name = '', ...parameters] = (header ?? '').split(';');
  for (const parameter of parameters) {
    const [, value] = /^\s*charset\s*=\s*"?([^\s"]+)"?\s*$/i.exec(parameter) ?? [];
    if (value) return { name: name.trim().toLowerCase(), charset: value.toLowerCase() };
  }
  return { name: name.trim().toLowerCase(), charset: undefined };
}
