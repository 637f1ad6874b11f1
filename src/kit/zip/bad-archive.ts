// Why an uploaded zip archive is not accepted.

/** It is damaged, or not accepted; the message says why. */
export class BadArchive extends Error {}

/** An archive that holds more than there is room for. */
export class ArchiveTooLarge extends Error {}

export const NOT_AN_ARCHIVE = 'This is no zip archive.';

export function damagedArchive(): BadArchive {
  return new BadArchive('The archive is damaged.');
}

export function toSafeNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damagedArchive();
  return Number(value);
}
