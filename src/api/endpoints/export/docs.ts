// How the routes that export definitions are described.
import { NOT_EXPORTED } from '../../../config-repos/export/archive.ts';
import type { JsonSchema } from '../../../shape/json/json.ts';
import { TEXT } from '../../../shape/json/schemas.ts';
import type { Failure, RouteDescription } from '../../engine/route.ts';
import { CHAPTER } from '../config-repos/config-repo-route.ts';
import { missingParameter } from '../preflight/docs.ts';

export const PLUGIN_PARAMETER = 'plugin_id';
export const ZIP = 'application/zip';

export const notAConfigRepoPlugin = (id: string) => `Plugin \`${id}\` is not a config-repo plugin.`;
export const cannotExport = (id: string) => `Plugin \`${id}\` does not support pipeline config export.`;

const FAILURES: Readonly<Record<number, Partial<Failure>>> = {
  400: { when: 'The plugin is not named.', example: { message: missingParameter(PLUGIN_PARAMETER) } },
  422: { when: 'The plugin does not exist, is of another kind, or cannot export.', example: { message: notAConfigRepoPlugin('unknown') } },
};
const DISPOSITION: Readonly<Record<string, JsonSchema>> = {
  'Content-Disposition': { ...TEXT, description: 'The name for the downloaded file.' },
};
const SECRETS =
  'Secrets stay encrypted, so the files work only with this server. The secrets of a pipeline can be decrypted only in files that define pipelines of the same group, and passwords of repositories only for the same address. A pipeline with a template names the template, and its stages are left out.';

type Own = Pick<RouteDescription, 'summary' | 'parameters'> & { readonly details: string; readonly notFound?: string };

function common({ notFound, details, ...own }: Own): Omit<RouteDescription, 'type' | 'response'> {
  return {
    chapter: CHAPTER,
    ...own,
    details: `${details}\n\n${SECRETS}`,
    query: {
      [PLUGIN_PARAMETER]: {
        ...TEXT,
        description: 'The plugin whose format to use, such as `yaml.config.plugin`. Required.',
        example: 'yaml.config.plugin',
      },
    },
    answerHeaders: DISPOSITION,
    hasEtag: true,
    failures: notFound === undefined ? FAILURES : { ...FAILURES, 404: { example: { message: notFound } } },
  };
}

export function fileDescription(own: Own & { readonly example: () => string }): RouteDescription {
  const { example, ...rest } = own;
  return { ...common(rest), type: 'application/x-yaml', response: { ...TEXT, description: 'The file, as the plugin writes it.' }, example };
}

export function archiveDescription(own: Own): RouteDescription {
  const details = `${own.details} Objects that the plugin cannot write are listed in \`${NOT_EXPORTED}\`.`;
  return { ...common({ ...own, details }), type: ZIP, response: { ...TEXT, format: 'binary', description: 'A zip archive.' } };
}
