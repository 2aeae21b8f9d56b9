import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { Fault } from '../../base/fault.ts';
import { withoutSecrets } from '../../base/text.ts';

/** Prefers a Fault among the causes, such as a refused address or a missing program. */
export function serverFault(
  server: string,
  doing: string,
  error: unknown,
  secrets: readonly string[] = [],
): Fault {
  const own = faultIn(error);
  if (own)
    return new Fault(own.code, `The server "${server}": ${own.message}`, { hint: own.hint, cause: error });
  if (isDenied(error))
    return new Fault('tools/server-denied', `The server "${server}" requires authentication.`, {
      hint: `Set providers.mcp.${server}.headers, as in Authorization = "Bearer \${TOKEN}".`,
      cause: error,
    });
  const reason = withoutSecrets(error instanceof Error ? error.message : String(error), secrets);
  return new Fault('tools/server-failed', `The server "${server}" could not ${doing}: ${reason}`, {
    cause: secrets.length === 0 ? error : new Error(reason),
  });
}

function faultIn(error: unknown): Fault | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    if (at instanceof Fault) return at;
  }
  return undefined;
}

function isDenied(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status === 401 || error.status === 403;
  return (
    error instanceof SdkError &&
    (error.code === SdkErrorCode.ClientHttpAuthentication || error.code === SdkErrorCode.ClientHttpForbidden)
  );
}

export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

/** True for an old server that ends when the version of the protocol is negotiated. */
export function isNegotiationFailure(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
}
