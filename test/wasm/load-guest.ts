/** A component in this process, without the host around it. */

import { readFileSync } from 'node:fs';
import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import type { Anchoring } from '../../src/adapters/paths/anchor.ts';
import { Broker } from '../../src/adapters/wasm/broker/broker.ts';
import { callGuest } from '../../src/adapters/wasm/runner/call-guest.ts';
import { LoadedComponent } from '../../src/adapters/wasm/runner/loaded-component.ts';
import type { BrokerChannel } from '../../src/adapters/wasm/runner/remote-files.ts';
import { translateComponent } from '../../src/adapters/wasm/translate-component.ts';
import { decode, encode } from '../../src/adapters/wasm/wire/codec.ts';
import { FileError } from '../../src/adapters/wasm/wire/error.ts';
import {
  type Answered,
  type Asked,
  answerOf,
  type FileOperation,
  type Operation,
  type OperationName,
  operation,
} from '../../src/adapters/wasm/wire/operations.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { GrantedDirectory } from '../../src/domain/tools/component-host.ts';
import type { Gave } from './probe-host.ts';

const MEMORY_MIB = 64;
const loaded = new Map<string, Promise<LoadedComponent>>();

export function loadGuest(file: string): Promise<LoadedComponent> {
  const known = loaded.get(file) ?? load(file);
  loaded.set(file, known);
  return known;
}

async function load(file: string): Promise<LoadedComponent> {
  await $init;
  const translated = translateComponent({ generate }, readFileSync(file), { memoryMib: MEMORY_MIB });
  return new LoadedComponent({ ...translated, compiledGlue: undefined });
}

/** One call in this process: the runner's code and the broker, with the messages between them encoded and decoded. */
export function callInProcess(
  component: LoadedComponent,
  call: {
    readonly steps: readonly JsonObject[];
    readonly directories: readonly GrantedDirectory[];
    readonly anchoring: Anchoring;
  },
): Gave[] {
  const broker = new Broker(call.directories, { anchoring: call.anchoring });
  try {
    const { reply } = callGuest(
      component,
      {
        tool: 'probe',
        ownFunction: undefined,
        isRun: true,
        argumentsJson: JSON.stringify({ steps: call.steps }),
        answersJson: '{}',
        root: '/workspace',
        directories: broker.granted,
        environment: [],
      },
      { outputBytes: 1000, files: channelTo(broker) },
    );
    if (reply.tag === 'refused') throw new Error(reply.val.message);
    return gaveOf(reply.val.outcome);
  } finally {
    broker.close();
  }
}

function channelTo(broker: Broker): BrokerChannel {
  return {
    ask<Name extends OperationName>(tag: Name, val: Asked<Name>): Answered<Name> {
      const asked = decode(operation, encode(operation, { tag, val } as Operation));
      const answer = decode(answerOf(tag), broker.perform(asked as FileOperation));
      if (answer.tag === 'error') throw new FileError(answer.val);
      return answer.val as Answered<Name>;
    },
    drop: (handle) => broker.drop(handle),
  };
}

export function gaveOf(outcome: { readonly tag: string; readonly val: unknown }): Gave[] {
  if (outcome.tag !== 'success') throw new Error(JSON.stringify(outcome));
  return JSON.parse(String(outcome.val)).gave;
}
