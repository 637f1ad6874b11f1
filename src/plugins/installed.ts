// The plugins that come with the server.
import type { Plugin } from '../contracts/plugins/plugin.ts';
import { dockerRegistryArtifactPlugin } from './bundled/artifact-docker-registry.ts';
import { s3ArtifactPlugin } from './bundled/artifact-s3.ts';
import { passwordFile } from './bundled/password-file.ts';

export const bundledPlugins: readonly Plugin[] = [passwordFile, s3ArtifactPlugin, dockerRegistryArtifactPlugin];
