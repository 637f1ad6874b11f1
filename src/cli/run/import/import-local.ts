// Imports a file into the database of servers that do not run.

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepsALogin, keepsAnAdmin, sourceToolsFrom } from '../../../access/conditions.ts';
import { canAdminLogIn, hasKnownAdmin } from '../../../access/login/can-log-in.ts';
import { keepsIdentity } from '../../../access/server-identity.ts';
import { Users } from '../../../access/users/users.ts';
import { Changes } from '../../../config/change.ts';
import { type Config, loadConfig } from '../../../config/current.ts';
import { readInWorker } from '../../../document/save/read-in-worker.ts';
import { saveFile } from '../../../document/save/save.ts';
import type { OpenSecret } from '../../../document/upgrade/imported-cipher.ts';
import { IMPORTED_KEYS_FILE, ImportedKeys } from '../../../document/upgrade/imported-keys.ts';
import { PluginHost } from '../../../plugins/host.ts';
import { bundledPlugins } from '../../../plugins/installed.ts';
import { registry } from '../../../resources/index.ts';
import { type KeyLocation, openCipherOf } from '../../../server/open/cipher.ts';
import { openEventWriter } from '../../../server/open/event-log.ts';
import { connectPluginRules, loginSources, readingParts } from '../../../server/open/plugin-parts.ts';
import { followOthers } from '../../../server/sharing/following.ts';
import { SharedFiles } from '../../../server/sharing/shared-files.ts';
import { kindsOf } from '../../../shape/resource.ts';
import type { Database } from '../../../store/database.ts';
import { takeDataDirectory } from '../../../store/files/data-directory.ts';
import { migrate } from '../../../store/migrate.ts';
import { CommandFailed } from '../../terminal/failures.ts';
import type { Installation } from '../../terminal/installation.ts';
import { type KeyForImport, keyForImport } from '../adopt-key.ts';
import type { ImportResult } from './import-text.ts';
import { databaseExists, openForImport } from './open-for-import.ts';

const DATABASE = 'slipway.db';
const KEY_FILE = 'cipher.key';

export interface LocalImport {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  /** The content of the key file of the server that wrote the file … */
  readonly cipherKey: string | undefined;
  /** … and the function that decrypts secrets with it. */
  readonly open: OpenSecret | undefined;
  readonly installation: Installation;
  readonly isPlan: boolean;
}

type Files = Pick<Installation, 'dataDir' | 'cipherKeyFile'>;

export interface LocalImportResult extends ImportResult {
  /** Whether an administrator can log in now; always so for a plan. */
  readonly canAdminLogIn: boolean;
}

/** Throws `FileRefused` with all that is wrong with the file. */
export async function importLocally(request: LocalImport): Promise<LocalImportResult> {
  const { installation, isPlan } = request;
  const { dataDir, source, cipherKeyFile } = installation;
  // A plan for a database that does not exist yet must not make one.
  if (!isPlan || (await databaseExists(source))) return importInto(installation, request);
  const directory = mkdtempSync(join(tmpdir(), 'slipway-plan-'));
  try {
    for (const name of [KEY_FILE, IMPORTED_KEYS_FILE])
      if (existsSync(join(dataDir, name))) copyFileSync(join(dataDir, name), join(directory, name));
    return await importInto({ dataDir: directory, source: { sqlite: join(directory, DATABASE) }, cipherKeyFile }, request);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function importInto({ dataDir, source, cipherKeyFile }: Installation, request: LocalImport): Promise<LocalImportResult> {
  const directory = takeDataDirectory(dataDir);
  try {
    const database = await openForImport(source);
    try {
      await migrate(database);
      const work = () => importWith(database, { dataDir, cipherKeyFile }, request);
      // A server that is started meanwhile waits until this has ended.
      return await (database.shared?.alone(work) ?? work());
    } finally {
      await database.close();
    }
  } finally {
    directory.release();
  }
}

async function importWith(database: Database, { dataDir, cipherKeyFile }: Files, request: LocalImport): Promise<LocalImportResult> {
  const { bytes, fileName, cipherKey, open, isPlan } = request;
  const kinds = kindsOf(registry);
  const load = (query: Database['query']) => loadConfig(kinds, query);
  const config = await (database.shared?.loadFirst(load) ?? load(database.query));
  const { commit, events } = await openEventWriter(database, kinds);
  const changes = new Changes(config, commit, database);
  const cachedTables = followOthers({ database, kinds, changes, events });
  const users = await Users.load(database);
  const key = keyFor(request, { dataDir, cipherKeyFile, isShared: database.shared !== undefined }, config);
  const { cipher } = key;
  const importedKeys = new ImportedKeys(dataDir, cipher);
  const onChanged = () => importedKeys.reload();
  const runner = { add: () => {} };
  const files = database.shared && (await SharedFiles.open({ dataDir, database, cachedTables, cipher, runner, onChanged }));
  const plugins = new PluginHost(bundledPlugins, cipher, () => ({ contextPath: '', secureSiteUrl: undefined }));
  connectPluginRules(plugins, config);
  const sources = loginSources(plugins, dataDir);
  changes.addGuard(keepsIdentity);
  // Where no administrator can log in yet, the next start of the server makes one.
  if (hasKnownAdmin({ config, users })) {
    changes.addGuard(keepsAnAdmin(users));
    changes.addGuard(keepsALogin(sourceToolsFrom(sources), users));
  }
  const file = await readInWorker(bytes, kinds);
  const author = { actor: 'slipway', token: null, address: null, reason: `import of ${fileName}` };
  const parts = { config, changes, ...readingParts(plugins, { cipher, openImported: importedKeys.open }, dataDir) };
  const saved = await saveFile({ file, mode: 'import', open }, author, { dryRun: isPlan }, parts).catch((failure: unknown) => {
    // Unless only the answer failed: then the stored secrets need the key.
    if (config.revision === 0) key.undo();
    throw failure;
  });
  if (cipherKey !== undefined && !isPlan) importedKeys.keep(cipherKey);
  await files?.publish();
  return {
    ...saved,
    version: file.version,
    isKeyAdopted: key.isAdopted,
    canAdminLogIn: isPlan || (await canAdminLogIn({ config, users, ...sources })),
  };
}

/** Nothing is taken over where something is encrypted already, or where the key is given to all servers from elsewhere. */
function keyFor({ cipherKey, isPlan }: LocalImport, location: KeyLocation, config: Config): KeyForImport {
  const { dataDir, cipherKeyFile } = location;
  const isEmpty = config.revision === 0;
  if (isEmpty && cipherKeyFile === undefined) return keyForImport({ path: join(dataDir, KEY_FILE), isEmpty, isPlan }, cipherKey);
  try {
    return { cipher: openCipherOf(location, config), isAdopted: false, undo: () => {} };
  } catch (failure) {
    throw new CommandFailed((failure as Error).message, { cause: failure });
  }
}
