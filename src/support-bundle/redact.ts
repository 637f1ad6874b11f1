// A last look at what goes into a bundle. What is collected holds no secrets by itself; words of other programs, such as git, might.

const HIDDEN = '******';

/** Of something that is a secret, with the sign behind it. */
const NAME = String.raw`\b([\w-]*(?:password|passwd|secret|token|api[_-]?key|private[_-]?key|credential)[\w-]*\\?["']?\s*[=:]\s*)`;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // A login in an address.
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']{1,500}@/gi, `$1${HIDDEN}@`],
  // A header, or a variable, that is one.
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`],
  [new RegExp(`${NAME}(\\\\?["'])[^"']*\\2`, 'gi'), `$1$2${HIDDEN}$2`],
  [new RegExp(`${NAME}(?!null|true|false|\\d+[,}\\s])[^\\s,;&"'\\\\*]+`, 'gi'), `$1${HIDDEN}`],
  // Cipher texts: only this server opens them, and nobody needs them.
  [/\bAES:[\w+/=]+:[\w+/=]+/g, HIDDEN],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, HIDDEN],
];

export function redact(text: string): string {
  return PATTERNS.reduce((shown, [pattern, replacement]) => shown.replace(pattern, replacement), text);
}
