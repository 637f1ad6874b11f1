// Reads the answer of a cluster: it may be anything, so a value that is not of the expected form counts as absent.

export type Members = Readonly<Record<string, unknown>>;

export function objectIn(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Undefined also for an empty one. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
