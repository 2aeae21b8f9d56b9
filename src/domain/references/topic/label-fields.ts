import { isLabelKey } from '../../labels/label-key.ts';
import { FieldProblem, isTable, text } from './field-readers.ts';

export function labelsFrom(name: string, value: unknown): ReadonlyMap<string, string> {
  if (value === undefined) return new Map();
  if (!isTable(value)) throw new FieldProblem(`${name} is not a table`);
  return new Map(
    Object.entries(value).map(([key, label]) => {
      if (!isLabelKey(key)) throw new FieldProblem(`${name} has a key that is none: ${JSON.stringify(key)}`);
      return [key, text(`${name}.${key}`, label)];
    }),
  );
}
