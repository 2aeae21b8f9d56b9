import { expect, it } from 'vitest';
import { portableSchema } from './tool-list.ts';

it('splits lists of types, however deep, and leaves the rest', () => {
  const schema = {
    type: 'object',
    properties: {
      type: { type: 'string', description: 'A property of that name.' },
      subjects: { type: ['string', 'array', 'null'], description: 'd', items: { type: ['number', 'null'] } },
    },
    required: ['type'],
    additionalProperties: false,
  };
  expect(portableSchema(schema)).toEqual({
    type: 'object',
    properties: {
      type: { type: 'string', description: 'A property of that name.' },
      subjects: {
        description: 'd',
        anyOf: [
          { type: 'string' },
          { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
          { type: 'null' },
        ],
      },
    },
    required: ['type'],
    additionalProperties: false,
  });
});
