// The routes by which agents send artifacts and fetch them.
import type { Route } from '../../../engine/route.ts';
import { ofBuildKeeper } from '../../agents/keeper.ts';
import { type FetchParts, fetchRoutes } from './fetches.ts';
import type { ArtifactJobs } from './jobs.ts';
import { type PublicationParts, publicationRoute } from './publication.ts';
import { type UploadParts, uploadRoutes } from './uploads.ts';

export type ArtifactRouteParts = UploadParts & PublicationParts & FetchParts & { readonly jobs: ArtifactJobs };

export function artifactRoutes(parts: ArtifactRouteParts): Route[] {
  return ofBuildKeeper([...uploadRoutes(parts), publicationRoute(parts), ...fetchRoutes(parts)]);
}
