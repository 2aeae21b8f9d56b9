/** The official conformance suite against `ken mcp --http`: which of its scenarios need tools of their own. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { HttpServer } from './connect.ts';

export const SUITE = path.join(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
);

/** Undefined where the suite can be run. */
export function suiteProblem(): string | undefined {
  return existsSync(SUITE) ? undefined : 'the conformance suite is not installed';
}

/** Scenarios that a server passes only with the suite's own tools, resources and prompts: what each needs. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'tools-call-simple-text': 'calls test_simple_text',
  'tools-call-image': 'calls test_image_content',
  'tools-call-audio': 'calls test_audio_content',
  'tools-call-embedded-resource': 'calls test_embedded_resource',
  'tools-call-mixed-content': 'calls test_multiple_content_types',
  'tools-call-with-logging': 'calls test_tool_with_logging',
  'tools-call-error': 'calls test_error_handling',
  'tools-call-with-progress': 'calls test_tool_with_progress',
  'tools-call-sampling': 'calls test_sampling',
  'tools-call-elicitation': 'calls test_elicitation',
  'elicitation-sep1034-defaults': 'calls test_elicitation_sep1034_defaults',
  'elicitation-sep1330-enums': 'calls test_elicitation_sep1330_enums',
  'resources-read-text': 'reads test://static-text',
  'resources-read-binary': 'reads test://static-binary',
  'resources-templates-read': 'reads test://template/123/data',
  'prompts-get-simple': 'gets test_simple_prompt',
  'prompts-get-with-args': 'gets test_prompt_with_arguments',
  'prompts-get-embedded-resource': 'gets test_prompt_with_embedded_resource',
  'prompts-get-with-image': 'gets test_prompt_with_image',
  'json-schema-2020-12': 'lists json_schema_2020_12_tool',
  'server-stateless': 'some of its checks call test_… tools; the others are required by name',
  'input-required-result-basic-elicitation': 'calls test_…',
  'input-required-result-basic-sampling': 'calls test_…',
  'input-required-result-basic-list-roots': 'calls test_…',
  'input-required-result-request-state': 'calls test_…',
  'input-required-result-multiple-input-requests': 'calls test_…',
  'input-required-result-multi-round': 'calls test_…',
  'input-required-result-ignore-extra-params': 'calls test_…',
  'input-required-result-missing-input-response': 'calls test_…',
  'input-required-result-non-tool-request': 'gets test_…',
  'input-required-result-result-type': 'calls test_…',
  'input-required-result-tampered-state': 'calls test_…',
  'input-required-result-capability-check': 'calls test_…',
  'server-sse-polling': 'calls test_reconnection, which ends its stream to be taken up again',
  'http-custom-header-server-validation': 'calls a tool whose parameters are sent as headers',
  'tasks-lifecycle': 'calls greet, slow_compute and the like; conformance.test.ts runs it with them',
  'tasks-capability-negotiation':
    'calls greet, slow_compute and the like; conformance.test.ts runs it with them',
  'tasks-wire-fields': 'calls greet, slow_compute and the like; conformance.test.ts runs it with them',
  'tasks-request-state-removal':
    'calls greet, slow_compute and the like; conformance.test.ts runs it with them',
  'tasks-mrtr-input': 'calls greet, slow_compute and the like; conformance.test.ts runs it with them',
  'tasks-request-headers': 'calls greet, slow_compute and the like; conformance.test.ts runs it with them',
  'tasks-dispatch-and-envelope':
    'calls greet, slow_compute and the like; conformance.test.ts runs it with them',
  'tasks-required-task-error':
    'calls greet, slow_compute and the like; conformance.test.ts runs it with them',
  'tasks-mrtr-composition': 'calls greet, slow_compute and the like; conformance.test.ts runs it with them',
};

export interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: string;
  readonly message: string;
}

/** Every check of every scenario that the revision requires. */
export async function runSuite(
  server: Pick<HttpServer, 'url' | 'token'>,
  revision: string,
  results: string,
): Promise<readonly Check[]> {
  return run(server, ['--requirements', revision], results);
}

/** Every check of one scenario. */
export async function runScenario(
  server: Pick<HttpServer, 'url' | 'token'>,
  { scenario, revision }: { readonly scenario: string; readonly revision: string },
  results: string,
): Promise<readonly Check[]> {
  return run(server, ['--scenario', scenario, '--spec-version', revision, '--force'], results);
}

async function run(
  server: Pick<HttpServer, 'url' | 'token'>,
  chosen: readonly string[],
  results: string,
): Promise<readonly Check[]> {
  const url = await withToken(server);
  const words = [SUITE, 'server', '--url', url, ...chosen, '-o', results];
  const child = spawn(process.execPath, words, { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'exit');
  return readdirSync(results, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name === 'checks.json')
    .flatMap(({ parentPath }) => checksIn(parentPath));
}

function checksIn(directory: string): Check[] {
  const [, scenario = ''] = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(path.basename(directory)) ?? [];
  const checks: Record<string, string>[] = JSON.parse(
    readFileSync(path.join(directory, 'checks.json'), 'utf8'),
  );
  return checks.map(({ id = '', status = '', errorMessage, description = '' }) => ({
    scenario,
    id,
    status,
    message: errorMessage ?? description,
  }));
}

/** The suite knows no tokens: in between, each request is given ours. Foreign hosts and origins stay foreign. */
async function withToken(server: Pick<HttpServer, 'url' | 'token'>): Promise<string> {
  const { port } = new URL(server.url);
  const relay = createServer((incoming, outgoing) => pass(incoming, outgoing)).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  onTestFinished(() => {
    relay.close();
    relay.closeAllConnections();
  });
  const own = (relay.address() as AddressInfo).port;

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { host, origin, ...others } = incoming.headers;
    const ours = (text = '') => text.replace(`:${own}`, `:${port}`);
    const headers = {
      ...others,
      host: ours(host),
      ...(origin !== undefined && { origin: ours(origin) }),
      authorization: `Bearer ${server.token}`,
    };
    const { method, url: target } = incoming;
    const sent = request({ host: '127.0.0.1', port, method, path: target, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  }

  return `http://127.0.0.1:${own}/mcp`;
}
