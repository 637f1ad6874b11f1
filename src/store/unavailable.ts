// The message for requests that change something while the database does not answer.

export const DATABASE_UNAVAILABLE = 'The database cannot be reached, so nothing was changed. Try again in a moment.';
