// Settings whose keys look as if they were secrets.

const LOOKS_SECRET = /password|passwd|secret|token|private.?key|access.?key|credential/i;

/** As the server takes it for settings of plugins that it does not know. */
export function looksSecret(key: string): boolean {
  return LOOKS_SECRET.test(key);
}
