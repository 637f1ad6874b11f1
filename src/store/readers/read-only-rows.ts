// Reads some rows of a database from beside the server, whether it runs or not.

export interface ReadOnlyRows {
  /** The entities of a kind, in the order of their creation. */
  entities(kind: string): Promise<readonly unknown[]>;
  /** Whether the server knows a user of this name, in any letter case. */
  knowsUser(loginName: string): Promise<boolean>;
}
