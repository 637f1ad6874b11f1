// Which names a field offers for the typed text.

export interface Name {
  readonly id: string;
  /** A text that distinguishes it from similar names. */
  readonly hint?: string;
}

interface OfferedName {
  readonly key: string;
  readonly label: string;
  readonly hint?: string;
}

/** Limit of the list: users do not read more, and the next letter narrows it. */
const MAX_SUGGESTIONS = 50;

/** The names that hold the typed text; where the text is a whole name, that name and then all other names. */
export function offeredNames(names: readonly Name[], typed: string): OfferedName[] {
  const sought = typed.trim().toLowerCase();
  const whole = names.find(({ id }) => id.toLowerCase() === sought);
  const found =
    whole !== undefined
      ? [whole, ...names.filter((name) => name !== whole)]
      : names.filter(({ id, hint }) => `${id}\n${hint ?? ''}`.toLowerCase().includes(sought));
  return found.slice(0, MAX_SUGGESTIONS).map(({ id, hint }) => ({ key: id, label: id, ...(hint !== undefined && { hint }) }));
}
