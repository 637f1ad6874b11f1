// Templates: stages that several pipelines share.
import { required } from '../../shape/field.ts';
import { identifier, NAME_RULE } from '../../shape/fields.ts';
import { messagesOf } from '../../shape/problems/messages.ts';
import { problemUnless } from '../../shape/problems/problem.ts';
import { collection } from '../../shape/resource.ts';
import { textsInStages } from '../parts/parameter-texts.ts';
import { stageReferences } from './references.ts';
import { publishProblems, type StoresView } from './rules/artifact-settings.ts';
import { ownFetchProblems } from './rules/fetches.ts';
import { problemsOutside, templateParameterProblems } from './rules/parameters.ts';
import { templatePluginProblems } from './rules/plugin-problems.ts';
import { stageProblems } from './rules/stages.ts';
import { stages } from './stages.ts';

export const templates = collection({
  title: 'Template',
  about: 'Stages that several pipelines share; `#{name}` stands for a parameter of the pipeline.',
  path: '/api/admin/templates',
  version: 7,
  permission: 'admin',
  policy: { type: 'template', isCreatedByAdmins: true },
  doc: 'template-config',
  links: ['self', 'doc', 'find'],
  listLinks: ['self', 'doc'],
  listKey: 'templates',
  id: 'name',
  idParameter: 'template_name',
  ignoresCase: true,
  needsIfMatch: true,
  hasOwn: ['GET list'],
  fields: { name: identifier((name) => `Invalid template name '${name}'. ${NAME_RULE}`), stages: required(stages) },
  // Any text in a template may use parameters, so any change can matter to the pipelines that use it.
  visibleParts: ({ stages: own }) => own,
  refersTo: ({ name, stages: own }) => stageReferences(own, name),
  linkRules: {
    artifactStores: {
      problems: ({ name, stages: own }, view: StoresView) => [
        ...publishProblems(own, view, { owner: name }),
        ...ownFetchProblems(own, view, { owner: name }),
      ],
      isTransitive: true,
    },
  },
  pluginProblems: templatePluginProblems,
  rules: [
    ({ name, stages: own }) =>
      problemUnless(
        own.length > 0,
        'stages',
        `Template '${name}' does not have any stages configured. A template must have at least one stage.`,
      ),
    // A text with parameters is asked in each pipeline that uses the template: there they have values.
    ({ name, stages: own }) => {
      const texts = textsInStages(own);
      return [...templateParameterProblems(texts), ...problemsOutside(texts, stageProblems(own, name))];
    },
    ({ stages: own }, view: StoresView) => [...publishProblems(own, view), ...ownFetchProblems(own, view)],
  ],
  messages: {
    ...messagesOf({ entity: 'template', by: 'name', short: 'template', tag: 'template' }),
    duplicateId: (name) => `Template name '${name}' is not unique`,
    renamed: 'Renaming of templates is not supported by this API.',
    inUse: (name, users) =>
      `Cannot delete the template '${name}' as it is used by pipeline(s): '${users.map((user) => user.id).join(', ')}'`,
  },
  example: {
    name: 'build-and-test',
    stages: [
      { name: 'build', jobs: [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make', arguments: ['#{target}'] } }] }] },
    ],
  },
});
