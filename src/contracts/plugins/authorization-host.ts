// The part of the server that an authorization plugin may use.
export interface AuthorizationHost {
  /** Relative paths in settings start here. */
  readonly directory: string;
}
