// The command that writes a support bundle: of a server that runs, or from the database of one that does not.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fullVersion, readVersion } from '../../../server/version.ts';
import { mustBeEmbedded } from '../../../store/files/moved.ts';
import type { DatabaseSource } from '../../../store/source.ts';
import { bundleName, bundleOf } from '../../../support-bundle/bundle.ts';
import { databaseFiles, versionsFile } from '../../../support-bundle/from-database.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import { type Context, pathIn } from '../../terminal/context.ts';
import { databaseIn, explainingFailures } from '../../terminal/database.ts';
import { CommandFailed, UsageError } from '../../terminal/failures.ts';
import { dataDirOf, namesServer, serverOf, type TargetValues } from '../../terminal/target.ts';
import { fetchExport } from '../fetch-export.ts';

interface Values extends TargetValues {
  readonly 'database-url': string | undefined;
}

const DATABASE = 'slipway.db';
const PATH = '/api/admin/support_bundle';
/** The owner of the file decides which other users may read it. */
const PRIVATE = 0o600;

export async function runSupportBundle({ values, positionals: [file] }: ParsedArguments<Values>, context: Context): Promise<number> {
  const now = new Date();
  const path = pathIn(context, file ?? bundleName(now));
  const source = sourceIn(values, context);
  if (source === undefined) await fetchExport(serverOf(values, context), { path: PATH, isArchive: true, isPrivate: true }, path);
  else await explainingFailures(source, () => write(source, path, now));
  context.out.write(`${path}\n`);
  return 0;
}

async function write(source: DatabaseSource, path: string, now: Date): Promise<void> {
  const files = await databaseFiles(source).catch((failure: unknown) => {
    if (!('sqlite' in source)) throw failure;
    throw new CommandFailed(`${source.sqlite} cannot be read: ${(failure as Error).message}`, { cause: failure });
  });
  if (!files) throw new CommandFailed('sqlite' in source ? noDatabase(source.sqlite) : 'The database has no tables of Slipway.');
  const bundle = await bundleOf([versionsFile(fullVersion(readVersion())), ...files], now);
  await writeFile(path, bundle, { mode: PRIVATE }).catch((failure: unknown) => {
    throw new CommandFailed(`The bundle could not be written: ${(failure as Error).message}`);
  });
}

const noDatabase = (path: string) =>
  `There is no database ${path}. For a server that runs, give --url or --context; for one that does not, --data-dir.`;

/** Undefined: through a server that runs. */
function sourceIn(values: Values, context: Context): DatabaseSource | undefined {
  const { url, context: name, 'data-dir': dataDir, 'database-url': database } = values;
  const given = Object.entries({ '--url': url, '--context': name, '--data-dir': dataDir, '--database-url': database }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length > 1) throw new UsageError(`Give one of ${given.map(([name]) => name).join(' and ')}, not both.`);
  if (database === undefined && dataDir === undefined && namesServer(values, context.environment)) return undefined;
  const postgres = dataDir === undefined ? databaseIn(database, context.environment) : undefined;
  if (postgres) return { postgres };
  const directory = dataDirOf(dataDir, context);
  mustBeEmbedded(directory);
  return { sqlite: join(directory, DATABASE) };
}
