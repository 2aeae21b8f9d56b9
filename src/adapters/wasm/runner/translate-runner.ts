/** The process of one translation, as confined as that of a guest: a hostile component may take over the bindgen. */

import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import { ComponentError } from '../component-error.ts';
import { translateComponent } from '../translate-component.ts';
import { receive, send } from './pipe.ts';

await $init;
send({ tag: 'ready', val: { isConfined: process.permission?.has('fs.write') === false } });
const message = receive();
if (message.tag !== 'translate') throw new Error('ken sent what a translation does not take');
const { component, memoryMib } = message.val;
try {
  send({ tag: 'translated', val: translateComponent({ generate }, component, { memoryMib }) });
} catch (error) {
  if (!(error instanceof ComponentError)) throw error;
  const { code, message: reason, hint } = error.refusal;
  send({ tag: 'refused', val: { code, message: reason, hint, used: undefined } });
}
