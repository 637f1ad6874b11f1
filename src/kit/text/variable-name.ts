// Names of environment variables that are made from other names.

/** In capitals, with `_` for all that is neither a letter of ASCII nor a digit. */
export function asVariableName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/gu, '_').toUpperCase();
}
