// The files that the folder of a backup may hold. A manifest proves nothing: an attacker who can write there can compute its checksums.
import { ARTIFACTS_FOLDER, DATABASE_FILE, DOCUMENT_FILE, foldedName, isConfiguration } from './data-files.ts';
import { CONFIG_ZIP, CONSOLES_ZIP, DATABASE_ZIP, HISTORY_ZIP, type Manifest, VERSION_FILE } from './manifest.ts';
import { quoted } from './read-manifest.ts';

const FILES: readonly string[] = [VERSION_FILE, CONFIG_ZIP, HISTORY_ZIP, DATABASE_ZIP];
/** Below the artifacts: pipeline, counter, stage, counter, job, and the folder of the server itself. */
const CONSOLE = /^pipelines\/(?:[\w-][\w.-]*\/[1-9]\d{0,15}\/){2}[\w-][\w.-]*\/cruise-output\/console\.log$/;
export const CONSOLES_BELOW = 'pipelines';
/** How deep they lie below that. */
export const CONSOLE_DEPTH = 7;
const EXECUTABLE = 0o111;
/** In bytes: more, no file system takes for one name. */
const MAX_SEGMENT_BYTES = 255;
/** In bytes: with more, there is no room for the path of the data directory before it. */
const MAX_PATH_BYTES = 2048;

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
  [CONSOLES_ZIP]: isConsole,
  [CONFIG_ZIP]: (name) => name === DOCUMENT_FILE || isArtifact(name) || isOwnFile(name),
};

/** The problems of the names in a manifest, in words. */
export function strayNames({ files }: Pick<Manifest, 'files'>): string[] {
  return [
    ...FILES.filter((name) => !Object.hasOwn(files, name)).map((name) => `${name} is missing in the manifest.`),
    ...Object.entries(files).flatMap(([name, seal]) => {
      if (!FILES.includes(name) && name !== CONSOLES_ZIP) return [`${quoted(name)} is not a file of a backup.`];
      const mayHold = ENTRIES[name];
      if ('entries' in seal !== (mayHold !== undefined)) return [`${name} is not described as what it is.`];
      const entries = 'entries' in seal ? Object.keys(seal.entries) : [];
      const strays = entries.filter((entry) => !mayHold?.(entry)).map((entry) => `${quoted(entry)} does not belong there.`);
      const problems = [...strays, ...unwritable(entries.filter((entry) => !isArtifact(entry)))];
      if (name === DATABASE_ZIP && !entries.includes(DATABASE_FILE)) problems.push(`${quoted(DATABASE_FILE)} is missing.`);
      return problems.map((problem) => `${name}: ${problem}`);
    }),
  ];
}

/** The files that were programs where the backup was made. */
export function programsIn(manifest: Pick<Manifest, 'files'>): string[] {
  return configEntries(manifest).flatMap(([name, { mode }]) => ((mode & EXECUTABLE) === 0 || isArtifact(name) ? [] : [name]));
}

/** The files that are not unpacked. */
export function artifactsIn(manifest: Pick<Manifest, 'files'>): string[] {
  return configEntries(manifest).flatMap(([name]) => (isArtifact(name) ? [name] : []));
}

/** Backups of earlier versions hold artifacts, if these were moved elsewhere at some time; where they are restored, there are others. */
export function isArtifact(name: string): boolean {
  return foldedName(name.split('/', 1)[0]!) === ARTIFACTS_FOLDER;
}

/** By its name below the artifacts. */
export function isConsole(name: string): boolean {
  return CONSOLE.test(name);
}

function configEntries({ files }: Pick<Manifest, 'files'>) {
  const config = files[CONFIG_ZIP];
  return config && 'entries' in config ? Object.entries(config.entries) : [];
}

/** The names that no file system can have, or not together. */
function unwritable(names: readonly string[]): string[] {
  const isLong = (name: string) =>
    Buffer.byteLength(name) > MAX_PATH_BYTES || name.split('/').some((step) => Buffer.byteLength(step) > MAX_SEGMENT_BYTES);
  const folders = new Set(names.filter((name) => !isLong(name)).flatMap(foldersOf));
  return [
    ...names.filter(isLong).map((name) => `${quoted(name)} is too long a name.`),
    ...names.filter((name) => folders.has(name)).map((name) => `${quoted(name)} is a file and a folder at once.`),
  ];
}

function foldersOf(name: string): string[] {
  const steps = name.split('/').slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join('/'));
}

/** Keys, password files, and other files of the administrator beside them; nothing that the server makes for itself. */
function isOwnFile(name: string): boolean {
  const steps = name.split('/');
  return isConfiguration(steps[0]!) && steps.every((step) => step !== '' && step !== '.' && step !== '..' && !/[\p{Cc}\\:]/u.test(step));
}
