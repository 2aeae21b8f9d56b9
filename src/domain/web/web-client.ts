export interface WebClient {
  /**
   * Fetches one resource and follows redirects. Obeys `robots.txt` for every request, connects only to the public
   * internet and `net.allow`, and keeps all limits. Throws a Fault `net/…`, or the reason of an aborted signal.
   */
  get(request: WebRequest, signal: AbortSignal): Promise<WebAnswer>;
}

export interface WebRequest {
  readonly url: string;
  /** Header `Accept`; when absent: Markdown, then HTML, then anything. */
  readonly accept?: string;
  /** Sent only to the origin of `url`; a redirect elsewhere drops them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Validators of a cached version; when it is current, the answer is `not-modified`. */
  readonly known?: Validators;
  /** A redirect to another host than these is refused before its name is looked up. */
  readonly onlyHosts?: readonly string[];
  /** Tightens the client's own limits; a greater value changes nothing. */
  readonly limits?: Partial<WebLimits>;
}

export interface WebLimits {
  /** Limit of the body, both as sent and unpacked. */
  readonly maxBytes: number;
  /** Covers everything: names, robots.txt, redirects, the body. */
  readonly timeoutMs: number;
  /** Time without a single byte. */
  readonly idleMs: number;
  readonly maxRedirects: number;
}

export interface Validators {
  /** Address after redirects; they are sent to no other. */
  readonly url: string;
  readonly etag?: string;
  readonly lastModified?: string;
}

export type WebAnswer = WebPage | NotModified;

interface Answered {
  /** After redirects. */
  readonly url: string;
  /** Addresses that redirected, the requested one first. */
  readonly redirects: readonly string[];
  readonly validators: Validators;
  /** Milliseconds since the epoch when the answer was complete. */
  readonly fetchedAt: number;
}

export interface WebPage extends Answered {
  readonly type: 'page';
  /** Includes its parameters. */
  readonly contentType: string | undefined;
  /** Unpacked bytes, in the page's own encoding. */
  readonly body: Uint8Array;
  /** Digest of `body`, in lower-case hexadecimal. */
  readonly sha256: string;
  /** Received bytes, without headers. */
  readonly wireBytes: number;
}

export interface NotModified extends Answered {
  readonly type: 'not-modified';
}

export interface HttpSender {
  /**
   * Sends one request of any method and follows no redirects. Connects only to the public internet and `net.allow`.
   * Throws a Fault `net/…`, or the reason of an aborted signal.
   */
  send(request: HttpMessage, signal: AbortSignal): Promise<HttpReply>;
}

export interface HttpMessage {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HttpHeader[];
  readonly body: Uint8Array;
}

export type HttpHeader = readonly [name: string, value: string];

export interface HttpReply {
  readonly status: number;
  readonly headers: readonly HttpHeader[];
  /** The body as it was sent, in parts; throws a Fault when it is too large, too slow or cut short. */
  readonly body: AsyncIterator<Uint8Array>;
  /** Closes the connection, whatever has been read. */
  close(): void;
}
