// How a copy between engines says that it does not happen.

/** The message gives the reason, and the remedy. Nothing was changed. */
export class CopyRefused extends Error {}

/** There is data in the database already. */
export class TargetNotEmpty extends CopyRefused {}
