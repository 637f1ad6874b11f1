// What an authorization plugin may use of the server.
export interface AuthorizationHost {
  /** Relative paths in settings start here. */
  readonly directory: string;
}
