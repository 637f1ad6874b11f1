// Sizes of files and disks, as people read them.

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** `12.3 GB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** power;
  return `${amount.toFixed(power === 0 || amount >= 100 ? 0 : 1)} ${UNITS[power]}`;
}
