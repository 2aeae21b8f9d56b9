/** The header `Content-Type`, taken apart. */
export interface MediaType {
  /** In lower case, `text/html`; empty when there is none. */
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
