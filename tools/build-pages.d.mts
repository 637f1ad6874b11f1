import type { build } from 'esbuild';

/** Bundles the pages into a folder. */
export function buildPages(bundle: typeof build, folder: string, define?: Readonly<Record<string, string>>): Promise<void>;
