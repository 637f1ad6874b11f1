// An environment variable as the API has it.
import { type KeepsStored, STORED } from '../edit/unsent.ts';

export interface Variable extends KeepsStored {
  readonly name: string;
  readonly secure: boolean;
  readonly value?: string;
  readonly encrypted_value?: string;
}

/** The secret is not shown: a plain variable begins empty. A variable that is left empty gets its stored secret back. */
export function withSecrecy(variable: Variable, secure: boolean): Variable {
  const { name, value = '', encrypted_value: encrypted, [STORED]: stored = encrypted } = variable;
  if (secure && value === '' && stored !== undefined) return { name, secure, encrypted_value: stored };
  return { name, secure, value, [STORED]: stored };
}
