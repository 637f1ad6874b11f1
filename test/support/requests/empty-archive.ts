// A zip archive without entries, which is text as well: it can be sent in a form that is made of texts.
export const EMPTY_ARCHIVE = `PK\u0005\u0006${'\0'.repeat(18)}`;
