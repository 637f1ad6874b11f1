// Where the password of the first administrator is kept, in the data directory.
export const PASSWORD_FILE = 'password.properties';
