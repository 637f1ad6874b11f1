// The newest schema this version knows, for programs that need nothing else of the database: each migration makes one.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const MIGRATION = /^\d{3}-.*\.ts$/;

export function newestSchema(): number {
  return readdirSync(join(import.meta.dirname, 'migrations')).filter((name) => MIGRATION.test(name)).length;
}
