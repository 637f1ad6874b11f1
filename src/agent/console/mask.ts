// Replaces secrets in a stream of bytes, also where a secret comes in several pieces: a possible beginning of one is held back.

const STARS = Buffer.from('******');
const NONE = Buffer.alloc(0);

/** Number of first bytes of a secret by which it is found. */
const PREFIX_BYTES = 4;
/** Two bytes that begin no secret, only secrets as long as a prefix or longer, or a shorter one. */
const [NO_SECRET, LONG_SECRET, SHORT_SECRET] = [0, 1, 2] as const;

/** The secrets of a job, prepared so that looking for many of them costs as much as looking for one. */
export class SecretPatterns {
  /** By the first byte; longest first. */
  readonly #byFirst: (readonly Buffer[] | undefined)[] = new Array(256);
  /** Secrets that have a whole prefix, by that; longest first. */
  readonly #byPrefix = new Map<number, readonly Buffer[]>();
  /** Secrets that are shorter than a prefix, by the first byte; longest first. */
  readonly #shortByFirst: (readonly Buffer[] | undefined)[] = new Array(256);
  /** Which secrets two bytes may be the beginning of. */
  readonly #pairs = new Uint8Array(65_536);
  /** Whether a prefix with this hash may be that of a secret. */
  readonly #prefixes = new Uint8Array(65_536);
  readonly isEmpty: boolean;

  constructor(secrets: readonly string[]) {
    const patterns = secrets.map((secret) => Buffer.from(secret)).filter(({ length }) => length > 0);
    this.isEmpty = patterns.length === 0;
    for (const pattern of patterns.toSorted((one, other) => other.length - one.length)) this.#add(pattern);
  }

  #add(pattern: Buffer): void {
    const first = pattern[0]!;
    this.#byFirst[first] = [...(this.#byFirst[first] ?? []), pattern];
    if (pattern.length < PREFIX_BYTES) {
      this.#shortByFirst[first] = [...(this.#shortByFirst[first] ?? []), pattern];
      if (pattern.length === 1) this.#pairs.fill(SHORT_SECRET, first * 256, first * 256 + 256);
      else this.#pairs[first * 256 + pattern[1]!] = SHORT_SECRET;
      return;
    }
    const prefix = pattern.readUInt32BE(0);
    this.#byPrefix.set(prefix, [...(this.#byPrefix.get(prefix) ?? []), pattern]);
    this.#prefixes[hashOf(prefix)] = 1;
    this.#pairs[first * 256 + pattern[1]!] ||= LONG_SECRET;
  }

  /** The next place from `at` on where a secret may begin; `bytes.length` when there is none. */
  nextPosition(bytes: Buffer, at: number): number {
    const last = bytes.length - 1;
    const pairs = this.#pairs;
    let position = at;
    for (; position < last; position++) {
      const pair = pairs[bytes[position]! * 256 + bytes[position + 1]!];
      if (pair === NO_SECRET) continue;
      if (pair === SHORT_SECRET || this.#mayBeLong(bytes, position)) return position;
    }
    if (position === last && this.#byFirst[bytes[position]!] === undefined) return bytes.length;
    return position;
  }

  #mayBeLong(bytes: Buffer, at: number): boolean {
    return at + PREFIX_BYTES > bytes.length || this.#prefixes[hashOf(bytes.readUInt32BE(at))] === 1;
  }

  /** The length of the longest secret that begins here; `isOpen`: the bytes from here to the end may become a longer one. */
  matchAt(bytes: Buffer, at: number): { readonly length: number; readonly isOpen: boolean } {
    const rest = bytes.length - at;
    if (rest < PREFIX_BYTES) return longestOf(this.#byFirst[bytes[at]!], bytes, at);
    const long = longestOf(this.#byPrefix.get(bytes.readUInt32BE(at)), bytes, at);
    if (long.length > 0) return long;
    return { ...longestOf(this.#shortByFirst[bytes[at]!], bytes, at), isOpen: long.isOpen };
  }
}

/** `patterns`: longest first. */
function longestOf(
  patterns: readonly Buffer[] | undefined,
  bytes: Buffer,
  at: number,
): { readonly length: number; readonly isOpen: boolean } {
  const rest = bytes.length - at;
  let isOpen = false;
  for (const pattern of patterns ?? []) {
    if (pattern.length > rest) isOpen ||= bytes.compare(pattern, 0, rest, at) === 0;
    else if (bytes.compare(pattern, 0, pattern.length, at, at + pattern.length) === 0) return { length: pattern.length, isOpen };
  }
  return { length: 0, isOpen };
}

/** In 16 bits; the factor spreads prefixes that differ in few bits. */
function hashOf(prefix: number): number {
  return Math.imul(prefix, 0x9e3779b1) >>> 16;
}

/** One stream. Secrets that overlap are covered together. */
export class Mask {
  readonly #patterns: SecretPatterns;
  #held: Buffer = NONE;
  /** The number of held bytes that are covered by stars that were written already. */
  #covered = 0;

  constructor(patterns: SecretPatterns) {
    this.#patterns = patterns;
  }

  write(chunk: Buffer): Buffer {
    return this.#patterns.isEmpty ? chunk : this.#masked(this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]), false);
  }

  /** The bytes held back are no secret: there is nothing more to come. */
  end(): Buffer {
    return this.#masked(this.#held, true);
  }

  #masked(bytes: Buffer, isEnd: boolean): Buffer {
    const parts: Buffer[] = [];
    let [written, coveredTo] = [this.#covered, this.#covered];
    let position = this.#patterns.nextPosition(bytes, 0);
    while (position < bytes.length) {
      const { length, isOpen } = this.#patterns.matchAt(bytes, position);
      if (isOpen && !isEnd) break;
      if (length > 0) {
        if (position >= coveredTo) parts.push(bytes.subarray(written, position), STARS);
        coveredTo = Math.max(coveredTo, position + length);
        written = coveredTo;
      }
      position = this.#patterns.nextPosition(bytes, position + 1);
    }
    if (position > written) parts.push(bytes.subarray(written, position));
    // The held bytes are copied: a few of them must not keep a whole piece of output in memory.
    this.#held = position >= bytes.length ? NONE : Buffer.from(bytes.subarray(position));
    this.#covered = Math.max(0, coveredTo - position);
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }
}

/** A text that comes as a whole. */
export function masked(patterns: SecretPatterns, text: string): string {
  if (patterns.isEmpty) return text;
  const mask = new Mask(patterns);
  return Buffer.concat([mask.write(Buffer.from(text)), mask.end()]).toString();
}
