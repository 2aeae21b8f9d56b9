import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';

const KEY = 'k3y-of-the-operator-1234';
const HEADER = 'h3ader-of-the-operator-5678';

/** A server that repeats in its answer what it was sent. */
async function echoServer(answer: (said: string) => { status: number; type: string; body: string }) {
  const server = createServer((request, response) => {
    const { status, type, body } = answer(
      `${request.headers.authorization} and ${request.headers['x-team']}`,
    );
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  [
    'an error',
    (said: string) => ({
      status: 400,
      type: 'application/json',
      body: JSON.stringify({ error: { message: `You sent ${said}`, type: 'x', code: 'x', param: null } }),
    }),
  ],
  [
    'an error in a stream',
    (said: string) => ({
      status: 200,
      type: 'text/event-stream',
      body: `data: ${JSON.stringify({ error: { message: `You sent ${said}`, type: 'x', code: 'x', param: null } })}\n\n`,
    }),
  ],
])('a key that a server repeats in %s is masked', async (_, answer) => {
  const address = await echoServer(answer);
  const place = sandboxHere('');
  writeOwnConfig(
    place.home,
    `[providers.llm.echo]
kind = "openai-compatible"
base_url = "${address}/v1"
api_key_env = "ECHO_KEY"
headers = { x-team = "Token ${HEADER}" }
[assistant.request]
max_retries = 0
[assistant]
model = "echo/m"
`,
  );
  const { stdout, stderr } = await place.ken(['q', '-n', 'hi', '--verbose'], {
    environment: { ECHO_KEY: KEY },
  });
  expect(stderr).toContain('You sent Bearer *** and Token ***');
  const kept = await place.shell('cat .ken/conversations/*/*');
  for (const text of [stdout, stderr, kept.stdout]) {
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(HEADER);
  }
});

it('config show masks the values of headers and of a server’s environment', async () => {
  const place = sandboxHere('');
  writeOwnConfig(
    place.home,
    `[providers.mcp.x]
url = "https://a.example/mcp"
headers = { Authorization = "Bearer ${KEY}", x-team = "Bearer \${TEAM}" }
[providers.mcp.y]
command = "y"
env = { TOKEN = "${KEY}" }
`,
  );
  const { stdout } = await place.ken(['config', 'show', 'providers.mcp']);
  expect(stdout.split('\n').filter((line) => /headers|env/.test(line))).toEqual([
    'providers.mcp.x.headers.Authorization = "***"',
    `providers.mcp.x.headers.x-team = "Bearer \${TEAM}"`,
    'providers.mcp.y.env.TOKEN = "***"',
  ]);
  expect((await place.ken(['config', 'show', '--json'])).stdout).not.toContain(KEY);
});
