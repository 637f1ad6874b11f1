// The command line: what an administrator does beside the API.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { styleText } from 'node:util';
import { FileRefused } from '../document/save/refused.ts';
import { KEY_RULE, readForeignKey } from '../document/upgrade/foreign-cipher.ts';
import { DirectoryInUse } from '../store/data-directory.ts';
import { type ImportCommand, readArguments } from './arguments.ts';
import { ServerRefused } from './ask-server.ts';
import { importHere } from './import-here.ts';
import { importText, type Paint, refusalText } from './import-text.ts';
import { importThere } from './import-there.ts';

const REFUSED = 1;
const WRONG_USE = 2;

class WrongUse extends Error {}

const verdict = readArguments(process.argv.slice(2), process.env);
if ('help' in verdict) {
  process.stdout.write(verdict.help);
} else if ('problem' in verdict) {
  process.stderr.write(verdict.problem);
  process.exitCode = WRONG_USE;
} else {
  await runImport(verdict.import).catch((failure: unknown) => {
    process.exitCode = failure instanceof WrongUse ? WRONG_USE : REFUSED;
    process.stderr.write(textOf(failure, verdict.import.file));
  });
}

async function runImport({ file, cipherKeyFile, isPlan, to }: ImportCommand): Promise<void> {
  const bytes = Uint8Array.from(read(file));
  const cipherKey = cipherKeyFile === undefined ? undefined : read(cipherKeyFile).toString('latin1').trim();
  const open = cipherKey === undefined ? undefined : readForeignKey(cipherKey);
  if (cipherKey !== undefined && !open) throw new WrongUse(`${cipherKeyFile} is no key file. ${KEY_RULE}`);
  const wish = { bytes, fileName: basename(file), isPlan };
  const result =
    'url' in to ? await importThere({ ...wish, server: to, cipherKey }) : await importHere({ ...wish, ...to, cipherKey, open });
  process.stdout.write(importText(result, isPlan, painter(process.stdout)));
  if ('hasWayIn' in result && !result.hasWayIn) {
    process.stdout.write('Nobody can log in yet: the next start of the server makes an administrator and prints the password.\n');
  }
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (failure) {
    throw new WrongUse(`${path} cannot be read: ${(failure as Error).message}`);
  }
}

function textOf(failure: unknown, file: string): string {
  if (failure instanceof FileRefused) return refusalText(file, failure.problems, painter(process.stderr));
  if (failure instanceof DirectoryInUse) return `${failure.message} Or import through it, with --url URL.\n`;
  if (failure instanceof WrongUse || failure instanceof ServerRefused) return `${failure.message}\n`;
  return `The import failed. ${(failure as Error).stack ?? String(failure)}\n`;
}

function painter(stream: NodeJS.WriteStream): Paint {
  return (colour, text) => styleText(colour, text, { stream });
}
