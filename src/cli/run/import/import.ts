// The command that imports a configuration file, into the database of servers that are stopped, or through one that runs.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { FileRefused } from '../../../document/save/refused.ts';
import { KEY_RULE, readImportedKey } from '../../../document/upgrade/imported-cipher.ts';
import { DirectoryInUse } from '../../../store/files/data-directory.ts';
import { DirectoryMoved } from '../../../store/files/moved.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import { type Context, painter, pathIn } from '../../terminal/context.ts';
import { explainingFailures } from '../../terminal/database.ts';
import { CommandFailed, UsageError } from '../../terminal/failures.ts';
import { type Installation, installationIn } from '../../terminal/installation.ts';
import { type TargetValues, targetOf } from '../../terminal/target.ts';
import { importLocally, type LocalImport, type LocalImportResult } from './import-local.ts';
import { importRemotely } from './import-remote.ts';
import { importText, refusalText } from './import-text.ts';

interface ImportValues extends TargetValues {
  readonly 'database-url': string | undefined;
  readonly plan: boolean;
  readonly 'cipher-key': string | undefined;
}

const NO_ADMIN_YET = 'No administrator can log in yet: the next start of the server makes an administrator and prints the password.\n';

export async function runImport({ values, positionals: [file = ''] }: ParsedArguments<ImportValues>, context: Context): Promise<number> {
  const { plan: isPlan, 'cipher-key': cipherKeyFile } = values;
  if (values.url !== undefined && values['database-url'] !== undefined) throw new UsageError('Give --url or --database-url, not both.');
  const to = values['database-url'] === undefined ? targetOf(values, context) : undefined;
  const bytes = Uint8Array.from(read(file, context));
  const cipherKey = cipherKeyFile === undefined ? undefined : read(cipherKeyFile, context).toString('latin1').trim();
  const open = cipherKey === undefined ? undefined : readImportedKey(cipherKey);
  if (cipherKey !== undefined && !open) throw new UsageError(`${cipherKeyFile} is no key file. ${KEY_RULE}`);
  const request = { bytes, fileName: basename(file), isPlan };
  try {
    const result =
      to && 'url' in to
        ? await importRemotely({ ...request, server: to, cipherKey })
        : await importInto(installationIn(values, context), { ...request, cipherKey, open });
    context.out.write(importText(result, isPlan, painter(context, context.out)));
    if ('canAdminLogIn' in result && !result.canAdminLogIn) context.out.write(NO_ADMIN_YET);
    return 0;
  } catch (failure) {
    if (failure instanceof FileRefused)
      throw new CommandFailed(refusalText(file, failure.problems, painter(context, context.err)).trimEnd(), { cause: failure });
    if (failure instanceof DirectoryInUse) throw new CommandFailed(`${failure.message} Or import through it, with --url URL.`);
    if (failure instanceof DirectoryMoved) throw new CommandFailed(`${failure.message} Or import through the server, with --url URL.`);
    throw failure;
  }
}

function importInto(installation: Installation, request: Omit<LocalImport, 'installation'>): Promise<LocalImportResult> {
  return explainingFailures(installation.source, () => importLocally({ ...request, installation }));
}

function read(path: string, context: Context): Buffer {
  try {
    return readFileSync(pathIn(context, path));
  } catch (failure) {
    throw new UsageError(`${path} cannot be read: ${(failure as Error).message}`);
  }
}
