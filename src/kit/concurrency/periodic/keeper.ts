// Of several servers on one database, one is the keeper: it does the work that must not be done twice.

/** Why a run of a job is stopped: this server is not the keeper any more. */
export class KeeperRoleLost extends Error {
  constructor() {
    super('Another server does the background work from now on.');
  }
}

/** Thrown by operations that only the keeper can do. */
export class NotKeeper extends Error {
  constructor() {
    super('This server does not do the background work at present.');
  }
}
