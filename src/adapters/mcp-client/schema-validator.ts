import type { jsonSchemaValidator } from '@modelcontextprotocol/client';
import { isJsonObject, type Json } from '../../base/json.ts';
import { checkValue } from '../../domain/tools/schema/check-value.ts';
import { problemText } from '../../domain/tools/schema/problem.ts';

/** In place of the SDK's, which makes code of schemas that strangers send. */
export const ownSchemaValidator: jsonSchemaValidator = {
  getValidator<Value>(schema: unknown) {
    return (input: unknown) => {
      const problems = isJsonObject(schema as Json) ? checkValue(schema as never, input as Json) : [];
      return problems.length === 0
        ? { valid: true as const, data: input as Value, errorMessage: undefined }
        : { valid: false as const, data: undefined, errorMessage: problems.map(problemText).join('; ') };
    };
  },
};
