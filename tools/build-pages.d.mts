import type { build } from 'esbuild';

/** Bundles the pages into a folder. */
export function buildPages(bundle: typeof build, folder: string): Promise<void>;
