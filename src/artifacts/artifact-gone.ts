// The message for a client that asks for an artifact that is not there any more.
export const artifactGone = (path: string): string =>
  `Artifact '${path}' is unavailable as it may have been purged by Slipway or deleted externally.`;
