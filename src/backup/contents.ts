// What the folder of a backup may hold. A manifest proves nothing: whoever can write into the folder can compute its checksums.
import { DATABASE_FILE, DOCUMENT_FILE, isConfiguration } from './data-files.ts';
import { CONFIG_ZIP, DATABASE_ZIP, HISTORY_ZIP, type Manifest, VERSION_FILE } from './manifest.ts';

const FILES: readonly string[] = [VERSION_FILE, CONFIG_ZIP, HISTORY_ZIP, DATABASE_ZIP];
const EXECUTABLE = 0o111;

const IN_HISTORY = [
  /^index\.db(?:-wal)?$/,
  /^config\.git\/(?:HEAD|config|packed-refs)$/,
  /^config\.git\/refs\/(?:heads|tags)(?:\/[\w-][\w.-]*)+$/,
  /^config\.git\/objects\/pack\/(?:pack-|tmp_pack_|tmp_idx_)[\w-]+(?:\.(?:pack|idx))?$/,
  /^config\.git\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/,
];

/** The archives, each with the names that its entries may have. */
const ENTRIES: Readonly<Record<string, (name: string) => boolean>> = {
  [DATABASE_ZIP]: (name) => name === DATABASE_FILE || name === `${DATABASE_FILE}-wal`,
  [HISTORY_ZIP]: (name) => IN_HISTORY.some((pattern) => pattern.test(name)),
  [CONFIG_ZIP]: (name) => name === DOCUMENT_FILE || isOwnFile(name),
};

/** What is wrong with the names in a manifest, in words. */
export function strayNames({ files }: Pick<Manifest, 'files'>): string[] {
  return [
    ...FILES.filter((name) => !(name in files)).map((name) => `${name} is missing in the manifest.`),
    ...Object.entries(files).flatMap(([name, seal]) => {
      if (!FILES.includes(name)) return [`${name} is not a file of a backup.`];
      const mayHold = ENTRIES[name];
      if ('entries' in seal !== (mayHold !== undefined)) return [`${name} is not described as what it is.`];
      const entries = 'entries' in seal ? Object.keys(seal.entries) : [];
      return entries.filter((entry) => !mayHold?.(entry)).map((entry) => `${name}: ${JSON.stringify(entry)} does not belong there.`);
    }),
  ];
}

/** The files that were programs where the backup was made. */
export function programsIn({ files }: Pick<Manifest, 'files'>): string[] {
  const config = files[CONFIG_ZIP];
  if (!config || !('entries' in config)) return [];
  return Object.entries(config.entries).flatMap(([name, { mode }]) => ((mode & EXECUTABLE) === 0 ? [] : [name]));
}

/** Keys, password files, and whatever the administrator keeps beside them; nothing that the server makes for itself. */
function isOwnFile(name: string): boolean {
  const steps = name.split('/');
  return isConfiguration(steps[0]!) && steps.every((step) => step !== '' && step !== '.' && step !== '..' && !/[\p{Cc}\\:]/u.test(step));
}
