/** Reads secrets of the operator: from the environment, or from the keyring by the system's own program. */

import { Fault } from '../../base/fault.ts';
import type { ProcessRunner } from '../../base/processes.ts';
import type { SecretSource, SecretStore } from '../../domain/tools/components/secrets.ts';
import { findProgram } from './find-program.ts';

export interface SecretPorts {
  readonly processes: ProcessRunner;
  /** The operator's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function systemSecrets(ports: SecretPorts): SecretStore {
  return {
    async read(source) {
      if (source.kind === 'keyring') return fromKeyring(ports, source);
      const value = ports.environment[source.name];
      if (value !== undefined && value !== '') return value;
      throw new Fault('tools/no-secret', `The variable ${source.name} is not set.`, {
        hint: 'Set it before you start ken, or name another source in "env" of the tool.',
      });
    },
  };
}

type KeyringSource = Extract<SecretSource, { kind: 'keyring' }>;

const TIMEOUT_MS = 30_000;
const LONGEST_SECRET = 65_536;

async function fromKeyring({ processes, environment }: SecretPorts, source: KeyringSource): Promise<string> {
  const [program, ...words] = process.platform === 'darwin' ? securityWords(source) : secretToolWords(source);
  const found = findProgram(program ?? '', environment.PATH);
  if (found === undefined) {
    throw new Fault('tools/no-secret', `There is no program "${program}", which reads the keyring.`, {
      hint: `Install it, or use "env:VARIABLE" instead of "keyring:${source.service}".`,
    });
  }
  const own = Object.fromEntries(
    ['HOME', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'DISPLAY', 'WAYLAND_DISPLAY', 'PATH'].flatMap(
      (name) => (environment[name] === undefined ? [] : [[name, environment[name]]]),
    ),
  );
  const result = await processes.run({
    command: [found, ...words],
    directory: '/',
    environment: own,
    limits: { timeoutMs: TIMEOUT_MS, stdoutBytes: LONGEST_SECRET, stderrBytes: 1000 },
  });
  const value = result.stdout.replace(/\r?\n$/, '');
  if (result.exitCode === 0 && value !== '') return value;
  throw new Fault('tools/no-secret', `The keyring has no secret "${named(source)}".`, {
    hint: `Store it there (service ${source.service}), or use "env:VARIABLE".`,
  });
}

function secretToolWords({ service, account }: KeyringSource): string[] {
  return [
    'secret-tool',
    'lookup',
    'service',
    service,
    ...(account === undefined ? [] : ['account', account]),
  ];
}

function securityWords({ service, account }: KeyringSource): string[] {
  const of = account === undefined ? [] : ['-a', account];
  return ['security', 'find-generic-password', '-s', service, ...of, '-w'];
}

function named({ service, account }: KeyringSource): string {
  return account === undefined ? service : `${service}/${account}`;
}
