// Names of the users and roles that have some right.
export interface Members {
  readonly users: readonly string[];
  readonly roles: readonly string[];
}
