// The answer to a file that was refused: why, line by line. The file itself is not repeated: it may hold passwords in clear.
import type { TextProblem } from '../../../kit/xml/tree.ts';
import { objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { type Answer, jsonAnswer } from '../../engine/route.ts';
import { MISTAKE_IN_XML } from './json.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
/** The body of a refusal, for the documentation. */
export const REFUSED_FILE = {
  type: 'application/json',
  schema: objectSchema(
    { result: { ...TEXT, description: 'Why, line by line.' } },
    {
      title: 'Refused file',
      others: {
        errors: { type: 'array', items: MISTAKE_IN_XML, description: 'The same one by one; absent when it has no place in the file.' },
      },
    },
  ),
};

export function refusedFile(status: 404 | 409, result: string, errors: readonly TextProblem[] = []): Answer {
  return jsonAnswer({ result, ...(errors.length > 0 && { errors }) }, { status, type: JSON_TYPE });
}
