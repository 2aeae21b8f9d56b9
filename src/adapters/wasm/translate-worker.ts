/** The thread of one translation. The bindgen needs much memory, and a hostile component can crash it. */

import { parentPort, workerData } from 'node:worker_threads';
import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import { ComponentError, type ComponentRefusal } from './component-error.ts';
import { type Translated, translateComponent } from './translate-component.ts';

export interface TranslateRequest {
  readonly component: Uint8Array;
  readonly memoryMib: number;
}

export type TranslateReply = { readonly translated: Translated } | { readonly refusal: ComponentRefusal };

async function translate({ component, memoryMib }: TranslateRequest): Promise<TranslateReply> {
  await $init;
  try {
    return { translated: translateComponent({ generate }, component, { memoryMib }) };
  } catch (error) {
    if (error instanceof ComponentError) return { refusal: error.refusal };
    throw error;
  }
}

parentPort?.postMessage(await translate(workerData));
