// The names of the packs of a history, and which packs count.

/**
 * The name of a pack has 40 hex digits, as git wants it: its kind, the ordinal of its series, its turn in it, and the beginning
 * of its checksum. A pack of a series holds the objects of all earlier turns, too, but for a batch, which holds only those of its
 * own turn.
 */
export interface PackName {
  readonly name: string;
  /** undefined: not one of ours. */
  readonly ordinal: number | undefined;
  readonly turn: number;
  readonly isBatch: boolean;
}

export interface OwnPackName extends PackName {
  readonly ordinal: number;
}

const OWN_NAME = /^pack-([01])([0-9a-f]{7})([0-9a-f]{8})[0-9a-f]{24}$/;
const [WHOLE_DIGIT, BATCH_DIGIT] = ['0', '1'];

export function packName({ ordinal, turn, isBatch }: Omit<OwnPackName, 'name'>, checksum: Buffer): string {
  const digits = (number: number, count: number) => number.toString(16).padStart(count, '0');
  return `pack-${isBatch ? BATCH_DIGIT : WHOLE_DIGIT}${digits(ordinal, 7)}${digits(turn, 8)}${checksum.toString('hex', 0, 12)}`;
}

export function readPackName(name: string): PackName {
  const [, kind, ordinal, turn] = OWN_NAME.exec(name) ?? [];
  if (ordinal === undefined || turn === undefined) return { name, ordinal: undefined, turn: 0, isBatch: false };
  return { name, ordinal: Number.parseInt(ordinal, 16), turn: Number.parseInt(turn, 16), isBatch: kind === BATCH_DIGIT };
}

export function isOwn(pack: PackName): pack is OwnPackName {
  return pack.ordinal !== undefined;
}

/** The newest first; those of others last. */
export function newestFirst(packs: readonly PackName[]): PackName[] {
  return packs.toSorted((one, other) => (other.ordinal ?? -1) - (one.ordinal ?? -1) || other.turn - one.turn);
}

/** The packs whose content is not in another one. */
export function withoutReplaced(packs: readonly PackName[]): PackName[] {
  const lastWhole = new Map<number, number>();
  for (const { ordinal, turn, isBatch } of packs) {
    if (ordinal !== undefined && !isBatch) lastWhole.set(ordinal, Math.max(turn, lastWhole.get(ordinal) ?? 0));
  }
  return packs.filter((pack) => {
    if (!isOwn(pack)) return true;
    const whole = lastWhole.get(pack.ordinal) ?? -1;
    return pack.isBatch ? pack.turn > whole : pack.turn === whole;
  });
}
