// Paths as the log has them: without the tokens in addresses that need no login.

const BEFORE_TOKEN = 'artifact_view';

/** Step by step, because the router finds the address however its letters are encoded, and below any context path. */
export function loggedPath(path: string): string {
  if (!path.includes('%') && !path.includes(BEFORE_TOKEN)) return path;
  const steps = path.split('/');
  const at = steps.findIndex((step) => decoded(step) === BEFORE_TOKEN);
  return at < 0 || at === steps.length - 1 ? path : [...steps.slice(0, at + 1), '…'].join('/');
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step; // not the bytes of a text: no route has it
  }
}
