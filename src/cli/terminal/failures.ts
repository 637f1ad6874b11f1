// The ways in which a command ends early: it was called wrongly, or it could not do what it should.

/** Answered with one line, a hint to the help, and the exit code for wrong use. */
export class UsageError extends Error {}

/** Answered with its message, and exit code 1. */
export class CommandFailed extends Error {}

/** The server does not answer now; it may later. */
export class Unreachable extends CommandFailed {}
