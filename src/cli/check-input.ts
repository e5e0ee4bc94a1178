// Checks what a command is given against the schema of the API that takes the same.
import { invalid } from '../errors.ts';
import type { TSchema } from '../http/schemas.ts';
import { validator } from '../http/validate.ts';

/** @throws 400 naming every wrong field */
export function checkInput(schema: TSchema, value: object): void {
  const issues = validator(schema, 'body')(value);
  if (issues.length > 0) throw invalid(issues);
}
