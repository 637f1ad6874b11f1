// The transports of addresses that programs for repositories are given. The programs know more, some of which run a command:
// the server and its agents refuse those alike.

/** Bundles, unions of repositories, schemes that extensions of hg add. */
const OTHER_HG_SCHEME = /^(?!(?:https?|ssh|file):)[a-z][a-z0-9+.-]+:/i;
const SVN_SCHEME = /^(?:https?|svn|svn\+ssh|file):\/\//i;
/** `rsh:` runs a command. */
const OTHER_P4_TRANSPORT = /^(?:rsh|jsh):|^\s*(?!(?:tcp|ssl)(?:4|6|46|64)?:)[a-z][a-z0-9]*:(?!\d+\s*$)|[\s"'`$;|&<>]/i;

export function isHgAddress(url: string): boolean {
  return !OTHER_HG_SCHEME.test(url);
}

export function isSvnAddress(url: string): boolean {
  return SVN_SCHEME.test(url);
}

export function isP4Port(port: string): boolean {
  return !OTHER_P4_TRANSPORT.test(port);
}
