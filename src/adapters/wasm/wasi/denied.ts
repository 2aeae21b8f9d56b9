/** `wasi:sockets`: guests that were linked with it still run, and every use of it is denied. */

import { WasiError } from './error.ts';

class Network {}
class TcpSocket {}
class UdpSocket {}
class IncomingDatagramStream {}
class OutgoingDatagramStream {}
class ResolveAddressStream {}

function deny(): never {
  throw new WasiError('access-denied');
}

export function deniedSockets() {
  return {
    'wasi:sockets/network': { Network, networkErrorCode: () => undefined },
    'wasi:sockets/instance-network': { instanceNetwork: () => new Network() },
    'wasi:sockets/tcp': { TcpSocket },
    'wasi:sockets/tcp-create-socket': { createTcpSocket: deny },
    'wasi:sockets/udp': { UdpSocket, IncomingDatagramStream, OutgoingDatagramStream },
    'wasi:sockets/udp-create-socket': { createUdpSocket: deny },
    'wasi:sockets/ip-name-lookup': { ResolveAddressStream, resolveAddresses: deny },
  };
}
