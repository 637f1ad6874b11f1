// Which settings of a plugin are addresses with a password in them, and so secrets whole.

/** Words in the names of settings that hold an address. */
const NAMES_ADDRESS = /ur[il]|address|endpoint|host|server|registry|repo|remote|proxy|mirror|webhook|link|location|connection/i;
/** One address and nothing beside it; a script or a sentence may mention one, with variables in the place of the password. */
const ADDRESS_WITH_PASSWORD = /^\s*[a-z][a-z0-9+.-]*:\/\/[^/?#\s:]*:[^/?#\s@]*@\S+\s*$/i;

export function isSecretAddress(key: string, value: string): boolean {
  return NAMES_ADDRESS.test(key) && ADDRESS_WITH_PASSWORD.test(value);
}
