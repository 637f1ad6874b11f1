// The attributes by which a repository that the server polls is found, for materials of pipelines and of config repos.
import { flag, optional, required } from '../form/attributes.ts';
import type { Part } from '../form/part.ts';
import { text } from '../form/texts.ts';

interface RepositoryParts {
  readonly attributes: readonly Part[];
  readonly children?: readonly Part[];
}

export const REPOSITORIES = {
  git: { attributes: [required('url', 'url'), optional('branch', 'branch', { absent: 'master' })] },
  hg: { attributes: [required('url', 'url'), optional('branch', 'branch')] },
  svn: { attributes: [required('url', 'url'), flag('checkexternals', 'check_externals', false)] },
  p4: {
    attributes: [required('port', 'port'), flag('useTickets', 'use_tickets', false)],
    children: [text('view', 'view', { isRequired: true, isLiteral: true })],
  },
} satisfies Readonly<Record<string, RepositoryParts>>;

/** The domain of a user that has none is empty in the one place, null in the other. */
export function tfsAttributes(noDomain: '' | null): readonly Part[] {
  return [required('url', 'url'), optional('domain', 'domain', { absent: noDomain }), required('projectPath', 'project_path')];
}
