// A configuration of its own for a test, without a server around it: real database, real plugins, files read in real threads.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Changes } from '../../../src/config/change.ts';
import { type Config, loadConfig } from '../../../src/config/current.ts';
import type { SaveRequest } from '../../../src/document/save/decide.ts';
import { readInWorker } from '../../../src/document/save/read-in-worker.ts';
import { type SaveParts, type SaveResult, saveFile } from '../../../src/document/save/save.ts';
import { ImportedKeys } from '../../../src/document/upgrade/imported-keys.ts';
import { type Cipher, openCipher } from '../../../src/kit/bytes/cipher.ts';
import { PluginHost } from '../../../src/plugins/host.ts';
import { bundledPlugins } from '../../../src/plugins/installed.ts';
import { registry } from '../../../src/resources/index.ts';
import { connectPluginRules, readingParts } from '../../../src/server/open/plugin-parts.ts';
import { writeSealed } from '../../../src/shape/json/entity-json.ts';
import { kindsOf } from '../../../src/shape/resource.ts';
import type { Database } from '../../../src/store/database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { revisionWriter } from '../../../src/store/revisions/changes.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import { writeDocument } from '../../document/xml/whole-document.ts';

const kinds = kindsOf(registry);

export class TestConfiguration {
  readonly dataDir: string;
  readonly database: Database;
  readonly config: Config;
  readonly changes: Changes;
  readonly cipher: Cipher;
  readonly importedKeys: ImportedKeys;
  readonly plugins: PluginHost;
  readonly parts: SaveParts;
  readonly #isTemporary: boolean;

  private constructor(dataDir: string, isTemporary: boolean, database: Database, config: Config) {
    this.dataDir = dataDir;
    this.#isTemporary = isTemporary;
    this.database = database;
    this.config = config;
    this.changes = new Changes(config, revisionWriter(database));
    this.cipher = openCipher(join(dataDir, 'cipher.key'));
    this.importedKeys = new ImportedKeys(dataDir, this.cipher);
    this.plugins = new PluginHost(bundledPlugins, this.cipher, () => ({ contextPath: '', secureSiteUrl: undefined }));
    connectPluginRules(this.plugins, config);
    this.parts = {
      config,
      changes: this.changes,
      ...readingParts(this.plugins, { cipher: this.cipher, openImported: this.importedKeys.open }, dataDir),
    };
  }

  /** Opens the configuration in an existing data directory, or in one that is removed with it. */
  static async open(dataDir?: string): Promise<TestConfiguration> {
    const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'slipway-configuration-'));
    const database = openSqlite(join(directory, 'slipway.db'));
    await migrate(database);
    return new TestConfiguration(directory, dataDir === undefined, database, await loadConfig(kinds, database.query));
  }

  async close(): Promise<void> {
    await this.database.close();
    if (this.#isTemporary) rmSync(this.dataDir, { recursive: true });
  }

  async save(
    text: string | Uint8Array,
    more: Partial<Omit<SaveRequest, 'file' | 'base'>> & { base?: string; dryRun?: boolean; actor?: string } = {},
  ): Promise<SaveResult> {
    const { base, dryRun = false, actor = 'ann', mode = 'whole', open } = more;
    const read = (content: string | Uint8Array) => readInWorker(Buffer.from(content), kinds);
    const request = { file: await read(text), base: base === undefined ? undefined : await read(base), mode, open };
    return saveFile(request, { actor, token: null, address: null, reason: null }, { dryRun }, this.parts);
  }

  get document(): string {
    return writeDocument((name) => Array.from(this.config.of(name).all(), ({ value }) => writeSealed(this.config.kind(name), value)));
  }
}
