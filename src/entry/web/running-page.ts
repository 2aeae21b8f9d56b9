/** The page that already runs for a workspace: others of this account reach it through a socket in the state directory. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';

/** Files of the page of one workspace, in a directory that only this account can enter. */
export interface PageFiles {
  readonly directory: string;
  readonly socket: string;
  /** `{pid, port}`; no secret. */
  readonly process: string;
  /** Forwards a browser to a login address, which then is in no list of processes. */
  readonly forward: string;
}

export function pageFiles(state: string, workspace: string | undefined): PageFiles {
  const directory = path.join(state, 'web');
  // A socket's path may have about a hundred characters, so names are short.
  const name = createHash('sha256')
    .update(workspace ?? '')
    .digest('hex')
    .slice(0, 12);
  return {
    directory,
    socket: path.join(directory, `${name}.sock`),
    process: path.join(directory, `${name}.json`),
    forward: path.join(directory, `${name}.html`),
  };
}

/** Words that the socket understands; the answer is an address on one line. */
export type PageQuestion = 'address' | 'login';

/** Undefined when no page runs. */
export async function askRunningPage(
  { socket }: PageFiles,
  question: PageQuestion,
): Promise<string | undefined> {
  const connection = connect(socket);
  connection.setTimeout(ANSWER_MS, () => connection.destroy());
  try {
    await once(connection, 'connect');
    connection.end(`${question}\n`);
    const answer = (await readLine(connection)).trim();
    return answer === '' ? undefined : answer;
  } catch {
    return undefined;
  } finally {
    connection.destroy();
  }
}

const ANSWER_MS = 5_000;
const LONGEST_LINE = 1_000;

async function readLine(connection: Socket): Promise<string> {
  let text = '';
  // The connection stays open for the answer.
  for await (const chunk of connection.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes('\n') || text.length > LONGEST_LINE) break;
  }
  return text.split('\n', 1)[0] ?? '';
}

export interface RunningPage {
  /** Writes the forwarding file for a browser and returns its path. */
  forwardTo(address: string): Promise<string>;
  /** Removes the forwarding file, once the login address was used. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

/** Called when no page answers: what a killed one left behind is replaced. */
export async function announcePage(
  files: PageFiles,
  port: number,
  answer: (question: PageQuestion) => string,
): Promise<RunningPage> {
  await mkdir(files.directory, { recursive: true, mode: 0o700 });
  await chmod(files.directory, 0o700);
  await rm(files.socket, { force: true });
  const server = createServer({ allowHalfOpen: true }, (connection) => void reply(connection, answer));
  server.maxConnections = 8;
  server.listen(files.socket);
  await once(server, 'listening');
  await chmod(files.socket, 0o600);
  await writeOwn(files.process, `${JSON.stringify({ pid: process.pid, port })}\n`);
  return {
    async forwardTo(address) {
      await writeOwn(files.forward, forwardingPage(address));
      return files.forward;
    },
    forget: () => rm(files.forward, { force: true }),
    close: () => removeAll(server, files),
  };
}

async function reply(connection: Socket, answer: (question: PageQuestion) => string): Promise<void> {
  connection.setTimeout(ANSWER_MS, () => connection.destroy());
  connection.on('error', () => connection.destroy());
  const question = (await readLine(connection).catch(() => '')).trim();
  connection.end(question === 'address' || question === 'login' ? `${answer(question)}\n` : '\n');
}

async function removeAll(server: Server, files: PageFiles): Promise<void> {
  server.close();
  for (const file of [files.socket, files.process, files.forward]) await rm(file, { force: true });
}

async function writeOwn(file: string, text: string): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
}

/** The address has only hexadecimal digits beside its fixed parts. */
function forwardingPage(address: string): string {
  return (
    '<!doctype html><meta charset="utf-8"><title>ken</title>' +
    `<meta http-equiv="refresh" content="0;url=${address}"><a href="${address}">Open ken</a>\n`
  );
}
