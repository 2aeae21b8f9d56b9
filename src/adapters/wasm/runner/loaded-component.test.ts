import { expect, it } from 'vitest';
import { LoadedComponent } from './loaded-component.ts';

const GLUE = `(() => { function inner() { return 'never called'; } return () => ({ run: inner }); })()`;
const parts = { glue: GLUE, compiledGlue: undefined, modules: [], memoryPages: 1 };

it('gives the code of the whole glue before anything of it is called', () => {
  const { compiledGlue } = new LoadedComponent(parts);
  expect(Buffer.from(compiledGlue ?? []).includes('never called')).toBe(true);
});

it('uses the code that it is given, and makes none', () => {
  const { compiledGlue } = new LoadedComponent(parts);
  const next = new LoadedComponent({ ...parts, compiledGlue });
  expect(next.compiledGlue).toBeUndefined();
  expect(next.instantiate({}).ownFunction('run')()).toBe('never called');
});

it('has the next process make code anew where the engine does not take what it is given', () => {
  const glue = GLUE.replaceAll('inner', 'other');
  const refused = new LoadedComponent({ ...parts, glue, compiledGlue: Buffer.from('of another engine') });
  expect(refused.compiledGlue).toHaveLength(0);
  const { compiledGlue } = new LoadedComponent({ ...parts, compiledGlue: refused.compiledGlue });
  expect(Buffer.from(compiledGlue ?? []).includes('never called')).toBe(true);
});
