/** One page from the web. Everything ken reads over HTTP comes through here. */

export interface WebClient {
  /**
   * Fetches one resource, its redirects followed. `robots.txt` is obeyed on every hop, nothing but the public
   * internet and `net.allow` is connected to, and no limit is ever passed.
   * What cannot be had is a Fault `net/…`; an aborted signal throws its own reason.
   */
  get(request: WebRequest, signal: AbortSignal): Promise<WebAnswer>;
}

export interface WebRequest {
  readonly url: string;
  /** The header `Accept`; absent: Markdown, then HTML, then anything. */
  readonly accept?: string;
  /** Sent to the origin of `url` only; a redirect elsewhere drops all of them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The validators of a known version; when it is current, the answer is `not-modified`. */
  readonly known?: Validators;
  /** Tightens the client's own limits; a greater value changes nothing. */
  readonly limits?: Partial<WebLimits>;
}

export interface WebLimits {
  /** Limits the body, both as sent and as unpacked. */
  readonly maxBytes: number;
  /** For everything: names, robots.txt, redirects, the body. */
  readonly timeoutMs: number;
  /** Without a single byte. */
  readonly idleMs: number;
  readonly maxRedirects: number;
}

/** How a server recognises a version of a resource. */
export interface Validators {
  /** The address that gave them, after redirects; they are sent to no other. */
  readonly url: string;
  readonly etag?: string;
  readonly lastModified?: string;
}

export type WebAnswer = WebPage | NotModified;

interface Answered {
  /** After redirects. */
  readonly url: string;
  /** The addresses that redirected, the requested one first; empty when none did. */
  readonly redirects: readonly string[];
  readonly validators: Validators;
  /** Milliseconds since the Unix epoch, when the answer was complete. */
  readonly fetchedAt: number;
}

export interface WebPage extends Answered {
  readonly type: 'page';
  /** The header as it came, with its parameters. */
  readonly contentType: string | undefined;
  /** The unpacked bytes, in the page's own encoding. */
  readonly body: Uint8Array;
  /** The digest of `body`, in lower-case hexadecimal. */
  readonly sha256: string;
  /** The bytes that came over the wire, without headers. */
  readonly wireBytes: number;
}

/** The version that the caller knows is current. */
export interface NotModified extends Answered {
  readonly type: 'not-modified';
}
