// The file that a command line names, or standard input.
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { isObject, type JsonObject } from '../../shape/json/json.ts';
import { type Context, pathIn } from '../terminal/context.ts';
import { CommandFailed, UsageError } from '../terminal/failures.ts';
import { readStructured } from './structured-file.ts';

export const STANDARD_INPUT = '-';

/** A body of the API: YAML or JSON. */
export async function readBody(path: string | undefined, context: Context): Promise<JsonObject> {
  if (path === undefined) throw new UsageError('--file is missing: the file to read, or - for standard input.');
  const isInput = path === STANDARD_INPUT;
  // YAML reads JSON, too.
  const content = isInput ? readStructured('standard input', await text(context.input)) : readStructured(path, fileText(path, context));
  if (isObject(content)) return content;
  throw new CommandFailed(`${isInput ? 'Standard input' : path} must hold a map: the members of one thing, as get shows it.`);
}

function fileText(path: string, context: Context): string {
  try {
    return readFileSync(pathIn(context, path), 'utf8');
  } catch (failure) {
    throw new CommandFailed(`${path} cannot be read: ${(failure as Error).message}`);
  }
}
