// The steps that change pipelines, and elements all over the document.

import { pluralize } from '../../kit/text/pluralize.ts';
import type { XmlElement } from '../../kit/xml/tree.ts';
import type { IgnoredContent } from './step.ts';
import { at, everything, takeChildren } from './tree.ts';

/** 105 */
export function giveTrackingToolsSchemes(root: XmlElement): undefined {
  for (const { attributes } of at(root, 'pipelines', 'pipeline', 'trackingtool')) {
    const link = attributes.get('link');
    if (link !== undefined && !/^https?:\/\//i.test(link)) attributes.set('link', `http://${link}`);
  }
}

/** 110 */
export function dropEmptyPasswords(root: XmlElement): undefined {
  for (const { attributes } of everything(root)) {
    for (const name of ['password', 'encryptedPassword']) if (attributes.get(name)?.trim() === '') attributes.delete(name);
  }
}

/** 128 */
export function dropAgents(root: XmlElement): readonly IgnoredContent[] {
  const agents = takeChildren(root, 'agents').flatMap((list) => at(list, 'agent'));
  const members = at(root, 'environments', 'environment').flatMap((environment) =>
    takeChildren(environment, 'agents').flatMap((list) => at(list, 'physical')),
  );
  const why = 'Agents register themselves and are not part of the configuration.';
  return [
    ...(agents.length > 0 ? [{ what: pluralize(agents.length, 'agent'), why }] : []),
    ...(members.length > 0 ? [{ what: `the assignment of ${pluralize(members.length, 'agent')} to environments`, why }] : []),
  ];
}

/** 131 */
export function dropMingle(root: XmlElement): readonly IgnoredContent[] {
  const dropped = at(root, 'pipelines', 'pipeline').flatMap((pipeline) => takeChildren(pipeline, 'mingle'));
  if (dropped.length === 0) return [];
  return [{ what: `the Mingle settings of ${pluralize(dropped.length, 'pipeline')}`, why: 'Mingle no longer exists.' }];
}

/** 135: a colon in a token of a label is kept for `env:` and for lengths. */
export function replaceColonsInLabels(root: XmlElement): undefined {
  for (const { attributes } of at(root, 'pipelines', 'pipeline')) {
    const label = attributes.get('labeltemplate');
    if (label !== undefined)
      attributes.set(
        'labeltemplate',
        label.replace(/\$\{([^}$]*)\}/g, (_, token: string) => `\${${withoutColons(token)}}`),
      );
  }
}

function withoutColons(token: string): string {
  const [, prefix, name, length] = /^(env:)?(.*?)(\[:\d+\])?$/s.exec(token) as [string, string?, string?, string?];
  return `${prefix ?? ''}${(name ?? '').replaceAll(':', '_')}${length ?? ''}`;
}
