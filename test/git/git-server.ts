import { execFileSync, spawn } from 'node:child_process';
import type http from 'node:http';
import path from 'node:path';
import { type LoopbackServer, type ServeOptions, serve } from '../web/servers.ts';

export interface GitServer extends LoopbackServer {
  readonly origin: string;
}

export interface GitServing extends ServeOptions {
  /** Speaks the protocol of old servers, which give nothing away by its id. */
  readonly isOld?: boolean;
  /** Answers in place of git where it says so, by answering true. */
  readonly before?: (request: http.IncomingMessage, response: http.ServerResponse) => boolean;
}

/** The repositories under `root`, served by git's own http-backend. */
export async function serveGit(root: string, options: GitServing = {}): Promise<GitServer> {
  const scheme = options.certificate ? 'https' : 'http';
  const server = await serve((request, response) => {
    if (!options.before?.(request, response)) void answer(root, request, response, options.isOld === true);
  }, options);
  return { ...server, origin: `${scheme}://127.0.0.1:${server.port}` };
}

const backend = () =>
  path.join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend');

async function answer(
  root: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  isOld: boolean,
) {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const protocol = request.headers['git-protocol'];
  const child = spawn(backend(), [], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      ...(typeof protocol === 'string' && !isOld ? { GIT_PROTOCOL: protocol } : {}),
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      ...(request.headers['content-encoding']
        ? { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] }
        : {}),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  response.on('close', () => child.kill('SIGKILL'));
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  const output = Buffer.concat(chunks);
  const end = output.indexOf('\r\n\r\n');
  if (end === -1) response.writeHead(500).end();
  else {
    writeHead(response, output.subarray(0, end).toString('latin1'));
    response.end(output.subarray(end + 4));
  }
}

function writeHead(response: http.ServerResponse, text: string): void {
  const headers = text.split('\r\n').map((each) => each.split(/:\s*/, 2) as [string, string]);
  const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
  response.writeHead(
    Number(status.split(' ')[0]),
    Object.fromEntries(headers.filter(([name]) => name !== 'Status')),
  );
}
