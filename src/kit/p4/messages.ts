// What the program of Perforce writes when the server refuses it.

export const LOGGED_OUT =
  /password \(P4PASSWD\) invalid or unset|session has expired|session was logged out|must login|Password must be set/i;
export const UNTRUSTED = /authenticity of .* can't be established|'p4 trust' command/is;
