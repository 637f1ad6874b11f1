// Users and roles by name: those who have some right.
export interface Members {
  readonly users: readonly string[];
  readonly roles: readonly string[];
}
