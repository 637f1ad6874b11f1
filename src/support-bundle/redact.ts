// A last check of the content of a bundle. The collected data holds no secrets by itself; output of other programs, such as git, might.
// Unauthenticated clients can write into the log, so no pattern takes longer than the text is long: each repetition is bounded, or ends at
// a sign that cannot begin it again.

const HIDDEN = '******';

/** Of something that is a secret, with the sign after it. */
const NAME = String.raw`((?:password|passwd|secret|token|api[_-]?key|private[_-]?key|credential)[\w-]{0,60}\\?["']?\s{0,8}[=:]\s{0,8})`;
/** As long as the quotes are not closed: a line may have been cut off. */
const QUOTED = String.raw`(?:(\\")(?:[^"\\]|\\(?!"))*(?:\\"|$)|(")(?:[^"\\\n]|\\.)*(?:"|$)|(')[^'\n]*(?:'|$))`;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // A login in an address.
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/"']{1,500}@/gi, `$1${HIDDEN}@`],
  // A header, or a variable, that is one.
  [/\b(bearer|basic)\s{1,8}[\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`],
  [new RegExp(`${NAME}${QUOTED}`, 'gim'), `$1$2$3$4${HIDDEN}$2$3$4`],
  [new RegExp(`${NAME}(?!null|true|false|\\d{1,20}[,}\\s])[^\\s,;&"'\\\\*]+`, 'gi'), `$1${HIDDEN}`],
  // Cipher texts, of GoCD and our own: only this server opens them, and support does not need them.
  [/\bAES:[\w+/=]{1,8000}:[\w+/=]+/g, HIDDEN],
  [/\bv[12]:[0-9a-f]{8}:[\w+/=]+/g, HIDDEN],
  // Whole, or cut off.
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^"-]|-(?!----))*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g, HIDDEN],
];

export function redact(text: string): string {
  return PATTERNS.reduce((shown, [pattern, replacement]) => shown.replace(pattern, replacement), text);
}
