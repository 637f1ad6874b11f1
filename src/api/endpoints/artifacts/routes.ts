// All routes about the artifacts of jobs.
import type { Route } from '../../engine/route.ts';
import { type ArtifactReadParts, artifactReadRoutes } from './read.ts';
import { type ArtifactUploadParts, artifactUploadRoutes } from './upload.ts';
import { type ArtifactViewParts, artifactViewRoutes } from './view/routes.ts';

export function jobArtifactRoutes(parts: ArtifactReadParts & ArtifactViewParts & ArtifactUploadParts): Route[] {
  return [...artifactReadRoutes(parts), ...artifactViewRoutes(parts), ...artifactUploadRoutes(parts)];
}
