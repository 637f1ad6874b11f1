// A change was asked for, and no answer came: it may have been made or not. A refusal, on the other hand, means that nothing was done.

export class OutcomeUnknown extends Error {}
