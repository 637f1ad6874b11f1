// Refuses names of files that later steps should not have to handle.

const MAX_CHARACTERS = 4096;
/** Takes the place of bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD';

/** The problem with a path from the root of a repository; undefined: none. */
export function nameProblem(path: string): string | undefined {
  if (path.length > MAX_CHARACTERS) return `A path of more than ${MAX_CHARACTERS} characters is not read: ${shown(path)}.`;
  if (/\p{Cc}/u.test(path)) return `The path ${shown(path)} has a control character in it, such as a line break.`;
  if (path.includes(REPLACEMENT)) return `The path ${shown(path)} is not written in UTF-8.`;
  const isWhole = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  return isWhole ? undefined : `The path ${shown(path)} does not lead straight to a file.`;
}

function shown(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}
