// An environment variable as the API has it.

export interface Variable {
  readonly name: string;
  readonly secure: boolean;
  readonly value?: string;
  readonly encrypted_value?: string;
}

/** The secret is not shown: a plain variable begins empty. */
export function withSecrecy({ name, value, encrypted_value: encrypted }: Variable, secure: boolean): Variable {
  if (secure) return { name, secure, value: value ?? '' };
  return { name, secure, value: encrypted === undefined ? (value ?? '') : '' };
}
