/** Bundles the server and its pages into a folder. `isPackaged`: for a package. */
export function buildInto(folder: string, options?: { readonly isPackaged?: boolean }): Promise<void>;
