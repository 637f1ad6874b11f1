// Imports a file into the data directory of a server that does not run.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepsALogin, keepsAnAdmin, sourceToolsFrom } from '../../access/conditions.ts';
import { canAdminLogIn, hasKnownAdmin } from '../../access/login/can-log-in.ts';
import { keepsIdentity } from '../../access/server-identity.ts';
import { Users } from '../../access/users/users.ts';
import { Changes } from '../../config/change.ts';
import { loadConfig } from '../../config/current.ts';
import { readInWorker } from '../../document/save/read-in-worker.ts';
import { saveFile } from '../../document/save/save.ts';
import type { OpenSecret } from '../../document/upgrade/foreign-cipher.ts';
import { IMPORTED_KEYS_FILE, ImportedKeys } from '../../document/upgrade/imported-keys.ts';
import { PluginHost } from '../../plugins/host.ts';
import { bundledPlugins } from '../../plugins/installed.ts';
import { registry } from '../../resources/index.ts';
import { openEventWriter } from '../../server/open/event-log.ts';
import { letRulesAsk, loginSources, readingParts } from '../../server/open/plugin-parts.ts';
import { kindsOf } from '../../shape/resource.ts';
import { takeDataDirectory } from '../../store/files/data-directory.ts';
import { mustBeEmbedded } from '../../store/files/moved.ts';
import { migrate } from '../../store/migrate.ts';
import { openSqlite } from '../../store/sqlite/open.ts';
import { keyForImport } from './adopt-key.ts';
import type { ImportResult } from './import-text.ts';

const DATABASE = 'slipway.db';
const KEY_FILE = 'cipher.key';

export interface ImportHere {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  /** The content of the key file of the server that wrote the file … */
  readonly cipherKey: string | undefined;
  /** … and what it opens. */
  readonly open: OpenSecret | undefined;
  readonly dataDir: string;
  readonly isPlan: boolean;
}

export interface ImportedHere extends ImportResult {
  /** Whether somebody could log in now. */
  readonly canAdminLogIn: boolean;
}

/** Throws `FileRefused` with all that is wrong with the file. */
export async function importHere(request: ImportHere): Promise<ImportedHere> {
  // A plan for a directory that does not exist yet must not make one.
  if (!request.isPlan || existsSync(join(request.dataDir, DATABASE))) return importInto(request.dataDir, request);
  const directory = mkdtempSync(join(tmpdir(), 'slipway-plan-'));
  try {
    for (const name of [KEY_FILE, IMPORTED_KEYS_FILE])
      if (existsSync(join(request.dataDir, name))) copyFileSync(join(request.dataDir, name), join(directory, name));
    return await importInto(directory, request);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function importInto(dataDir: string, { bytes, fileName, cipherKey, open, isPlan }: ImportHere): Promise<ImportedHere> {
  mustBeEmbedded(dataDir);
  const directory = takeDataDirectory(dataDir);
  const database = openSqlite(join(dataDir, DATABASE));
  try {
    await migrate(database);
    const kinds = kindsOf(registry);
    const config = await loadConfig(kinds, database.query);
    const { commit } = await openEventWriter(database, kinds);
    const changes = new Changes(config, commit);
    const users = await Users.load(database);
    const key = keyForImport({ path: join(dataDir, KEY_FILE), isEmpty: config.revision === 0, isPlan }, cipherKey);
    const { cipher } = key;
    const importedKeys = new ImportedKeys(dataDir, cipher);
    const plugins = new PluginHost(bundledPlugins, cipher, () => ({ contextPath: '', secureSiteUrl: undefined }));
    letRulesAsk(plugins, config);
    const sources = loginSources(plugins, dataDir);
    changes.require(keepsIdentity);
    // Where nobody can log in yet, the next start of the server makes an administrator.
    if (hasKnownAdmin({ config, users })) {
      changes.require(keepsAnAdmin(users));
      changes.require(keepsALogin(sourceToolsFrom(sources), users));
    }
    const file = await readInWorker(bytes, kinds);
    const author = { actor: 'slipway', token: null, address: null, reason: `import of ${fileName}` };
    const parts = { config, changes, ...readingParts(plugins, { cipher, openForeign: importedKeys.open }, dataDir) };
    const saved = await saveFile({ file, mode: 'import', open }, author, { dryRun: isPlan }, parts).catch((failure: unknown) => {
      // Unless it was the answer that failed: what is stored needs its key.
      if (config.revision === 0) key.undo();
      throw failure;
    });
    if (cipherKey !== undefined && !isPlan) importedKeys.keep(cipherKey);
    return {
      ...saved,
      version: file.version,
      isKeyAdopted: key.isAdopted,
      canAdminLogIn: isPlan || (await canAdminLogIn({ config, users, ...sources })),
    };
  } finally {
    await database.close();
    directory.release();
  }
}
