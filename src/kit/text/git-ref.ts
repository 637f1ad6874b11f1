// Names of refs and revisions of git, checked before they become arguments.

/** Names that git never takes as a ref; no option, pattern or range gets past it. */
const NO_REF = /^(?!refs\/)|[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|[./]$|\.lock(?:\/|$)/;

export function isGitRef(name: string): boolean {
  return !NO_REF.test(name);
}

/** Only a full hash is handed to git as a revision. */
export function isGitRevision(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}
