/** Limits what is read of a body whose length the client did not tell. */

import { MOST_BODY_BYTES } from './gate.ts';

/** Called with a request; its body ends with an error beyond the limit. */
type Answer = (request: Request) => Response | Promise<Response>;

/** Answers 413 as soon as more was sent, whatever the error made of the answer. */
export async function withBoundedBody(request: Request, answer: Answer): Promise<Response> {
  if (request.headers.has('content-length') || !request.body) return answer(request);
  let read = 0;
  const counted = request.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        read += piece.length;
        if (read > MOST_BODY_BYTES) controller.error(new Error('The body is too large.'));
        else controller.enqueue(piece);
      },
    }),
  );
  const { url, method, headers, signal } = request;
  const init = { method, headers, signal, body: counted, duplex: 'half' } as const;
  const response = await Promise.resolve(answer(new Request(url, init))).catch((error: unknown) => {
    if (read <= MOST_BODY_BYTES) throw error;
  });
  if (read <= MOST_BODY_BYTES && response) return response;
  const text = 'A request has at most two megabytes.\n';
  return new Response(text, { status: 413, headers: { connection: 'close' } });
}
