// The answer to a file that was refused: why, and the file itself, as the dialect wants it.
import { type Pause, slices } from '../../kit/slices.ts';
import type { TextProblem } from '../../kit/xml/tree.ts';
import { objectSchema, TEXT } from '../../shape/schemas.ts';
import type { Answer } from '../route.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
/** Its body, for the documentation. */
export const REFUSED_FILE = {
  type: 'application/json',
  schema: objectSchema(
    { result: { ...TEXT, description: 'Why, line by line.' }, originalContent: { ...TEXT, description: 'The file as it was sent.' } },
    {
      title: 'Refused file',
      others: { errors: { type: 'array', items: objectSchema({ line: { type: 'integer' }, column: { type: 'integer' }, message: TEXT }) } },
    },
  ),
};
const BYTES_AT_ONCE = 256 * 1024;

export async function refusedFile(
  status: 404 | 409,
  result: string,
  file: Uint8Array,
  errors: readonly TextProblem[] = [],
): Promise<Answer> {
  const head = JSON.stringify({ result, ...(errors.length > 0 && { errors }) }).slice(0, -1);
  const pieces = [`${head},"originalContent":"`, ...(await escaped(file, slices())), '"}'];
  return { status, body: Buffer.concat(pieces.map((piece) => Buffer.from(piece))), type: JSON_TYPE };
}

/** The inside of a JSON text, in slices: the file can be large. */
async function escaped(bytes: Uint8Array, pause: Pause): Promise<string[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += BYTES_AT_ONCE) {
    const piece = decoder.decode(bytes.subarray(start, start + BYTES_AT_ONCE), { stream: true });
    pieces.push(JSON.stringify(piece).slice(1, -1));
    await pause();
  }
  return [...pieces, JSON.stringify(decoder.decode()).slice(1, -1)];
}
