// The commands for the machine of the server: those of npm in a checkout, the name of the program where it was installed from a package.

/** Set by the bundler alone, for packages. */
declare const IS_PACKAGED: boolean | undefined;

const isPackaged = typeof IS_PACKAGED !== 'undefined' && IS_PACKAGED;

/** Options of the server follow. */
export const START = isPackaged ? 'slipway server' : 'npm start --';
/** The name of a command follows. */
export const COMMAND = isPackaged ? 'slipway' : 'npm run slipway --';
