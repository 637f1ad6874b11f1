// Reads the forms of hashes that password files hold, and determines which of them are weak.
export type HashForm =
  | { readonly kind: 'bcrypt'; readonly cost: number }
  | {
      readonly kind: 'pbkdf2';
      readonly digest: 'SHA1' | 'SHA256';
      readonly iterations: number;
      readonly salt: string;
      readonly key: Buffer;
    }
  | { readonly kind: 'sha1'; readonly digest: string };

/** The cost of new bcrypt hashes. A hash that is faster to guess than this is weak. */
export const GOOD_BCRYPT_COST = 10;
/** Takes about as long as bcrypt of the cost above. */
const GOOD_PBKDF2_ITERATIONS = 100_000;

// The cost of one login is bounded, so that a mistyped entry cannot keep the server busy for hours.
const MIN_BCRYPT_COST = 4;
const MAX_BCRYPT_COST = 16;
const MAX_PBKDF2_ITERATIONS = 5_000_000;
const MAX_PBKDF2_BITS = 512;

const BCRYPT = /^\$2[aby]\$(\d{2})\$[./A-Za-z0-9]{53}$/;
const PBKDF2 = /^\$PBKDF2WithHmac(SHA1|SHA256)\$(\d{1,9})\$(\d{1,9})\$([^$]+)\$([0-9A-Fa-f]+)$/;
const SHA1 = /^(?:\{SHA\})?([A-Za-z0-9+/]{27}=)$/;

/** Undefined: the hash of no password. */
export function readHash(text: string): HashForm | undefined {
  return readBcrypt(text) ?? readPbkdf2(text) ?? readSha1(text);
}

export function isWeak(form: HashForm): boolean {
  switch (form.kind) {
    case 'bcrypt':
      return form.cost < GOOD_BCRYPT_COST;
    case 'pbkdf2':
      return form.iterations < GOOD_PBKDF2_ITERATIONS;
    case 'sha1':
      return true;
  }
}

function readBcrypt(text: string): HashForm | undefined {
  const cost = Number(BCRYPT.exec(text)?.[1]);
  return cost >= MIN_BCRYPT_COST && cost <= MAX_BCRYPT_COST ? { kind: 'bcrypt', cost } : undefined;
}

function readPbkdf2(text: string): HashForm | undefined {
  const [, digest, iterationsText, bitsText, salt, hex] = PBKDF2.exec(text) ?? [];
  if (digest !== 'SHA1' && digest !== 'SHA256') return undefined;
  const iterations = Number(iterationsText);
  const bits = Number(bitsText);
  if (iterations < 1 || iterations > MAX_PBKDF2_ITERATIONS) return undefined;
  if (bits < 8 || bits > MAX_PBKDF2_BITS || bits % 8 !== 0 || hex!.length * 4 !== bits) return undefined;
  return { kind: 'pbkdf2', digest, iterations, salt: salt!, key: Buffer.from(hex!, 'hex') };
}

function readSha1(text: string): HashForm | undefined {
  const [, digest] = SHA1.exec(text) ?? [];
  return digest === undefined ? undefined : { kind: 'sha1', digest };
}
