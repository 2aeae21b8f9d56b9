/** All functions and resources of the WASI 0.2 interfaces that a guest may import. A test compares them with `wit/`. */

/** Methods by resource; functions that belong to none are under the empty name. Names are those of WIT. */
const INTERFACES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'wasi:cli/environment': { '': 'get-environment get-arguments initial-cwd' },
  'wasi:cli/exit': { '': 'exit exit-with-code' },
  'wasi:cli/stderr': { '': 'get-stderr' },
  'wasi:cli/stdin': { '': 'get-stdin' },
  'wasi:cli/stdout': { '': 'get-stdout' },
  'wasi:cli/terminal-input': { 'terminal-input': '' },
  'wasi:cli/terminal-output': { 'terminal-output': '' },
  'wasi:cli/terminal-stderr': { '': 'get-terminal-stderr' },
  'wasi:cli/terminal-stdin': { '': 'get-terminal-stdin' },
  'wasi:cli/terminal-stdout': { '': 'get-terminal-stdout' },
  'wasi:clocks/monotonic-clock': { '': 'now resolution subscribe-instant subscribe-duration' },
  'wasi:clocks/wall-clock': { '': 'now resolution' },
  'wasi:filesystem/preopens': { '': 'get-directories' },
  'wasi:filesystem/types': {
    '': 'filesystem-error-code',
    descriptor: `read-via-stream write-via-stream append-via-stream advise sync-data get-flags get-type set-size
      set-times read write read-directory sync create-directory-at stat stat-at set-times-at link-at open-at readlink-at
      remove-directory-at rename-at symlink-at unlink-file-at is-same-object metadata-hash metadata-hash-at`,
    'directory-entry-stream': 'read-directory-entry',
  },
  'wasi:io/error': { error: 'to-debug-string' },
  'wasi:io/poll': { '': 'poll', pollable: 'ready block' },
  'wasi:io/streams': {
    'input-stream': 'read blocking-read skip blocking-skip subscribe',
    'output-stream': `check-write write blocking-write-and-flush flush blocking-flush subscribe write-zeroes
      blocking-write-zeroes-and-flush splice blocking-splice`,
  },
  'wasi:random/insecure': { '': 'get-insecure-random-bytes get-insecure-random-u64' },
  'wasi:random/insecure-seed': { '': 'insecure-seed' },
  'wasi:random/random': { '': 'get-random-bytes get-random-u64' },
  'wasi:sockets/instance-network': { '': 'instance-network' },
  'wasi:sockets/ip-name-lookup': {
    '': 'resolve-addresses',
    'resolve-address-stream': 'resolve-next-address subscribe',
  },
  'wasi:sockets/network': { '': 'network-error-code', network: '' },
  'wasi:sockets/tcp': {
    'tcp-socket': `start-bind finish-bind start-connect finish-connect start-listen finish-listen accept local-address
      remote-address is-listening address-family set-listen-backlog-size keep-alive-enabled set-keep-alive-enabled
      keep-alive-idle-time set-keep-alive-idle-time keep-alive-interval set-keep-alive-interval keep-alive-count
      set-keep-alive-count hop-limit set-hop-limit receive-buffer-size set-receive-buffer-size send-buffer-size
      set-send-buffer-size subscribe shutdown`,
  },
  'wasi:sockets/tcp-create-socket': { '': 'create-tcp-socket' },
  'wasi:sockets/udp': {
    'udp-socket': `start-bind finish-bind stream local-address remote-address address-family unicast-hop-limit
      set-unicast-hop-limit receive-buffer-size set-receive-buffer-size send-buffer-size set-send-buffer-size
      subscribe`,
    'incoming-datagram-stream': 'receive subscribe',
    'outgoing-datagram-stream': 'check-send send subscribe',
  },
  'wasi:sockets/udp-create-socket': { '': 'create-udp-socket' },
};

/**
 * The names that an interface has: `function`, `resource name` and `[method]name.function`, as a component writes them.
 * Undefined for an interface that is not offered.
 */
export function wasiNames(interfaceName: string): readonly string[] | undefined {
  const members = Object.hasOwn(INTERFACES, interfaceName) ? INTERFACES[interfaceName] : undefined;
  if (!members) return undefined;
  return Object.entries(members).flatMap(([resource, functions]) => {
    const names = functions.split(/\s+/).filter((name) => name !== '');
    if (resource === '') return names;
    return [`resource ${resource}`, ...names.map((name) => `[method]${resource}.${name}`)];
  });
}

export const wasiInterfaces: readonly string[] = Object.keys(INTERFACES);
