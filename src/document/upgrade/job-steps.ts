// The steps that change jobs, their tasks and their artifacts.

import { pluralize } from '../../kit/text/pluralize.ts';
import type { XmlElement } from '../../kit/xml/tree.ts';
import type { IgnoredContent } from './step.ts';
import { childrenOf, element, named, renameChildren, takeAttribute, takeChildren } from './tree.ts';

/** 108: their type distinguishes builds, tests and external artifacts. */
export function giveArtifactsTypes(root: XmlElement): undefined {
  for (const artifacts of named(root, 'artifacts')) {
    for (const [name, type] of [
      ['artifact', 'build'],
      ['test', 'test'],
      ['pluggableArtifact', 'external'],
    ] as const) {
      for (const artifact of childrenOf(artifacts, name)) {
        if (!artifact.attributes.has('type')) artifact.attributes.set('type', type);
        // In 107 it can have its type already, and its settings still without the element around them.
        if (artifact.attributes.get('type') === 'external') wrapProperties(artifact);
      }
      renameChildren(artifacts, name, 'artifact');
    }
  }
}

/** 108 */
export function giveFetchesOrigins(root: XmlElement): undefined {
  for (const parent of [...named(root, 'tasks'), ...named(root, 'oncancel')]) {
    for (const task of childrenOf(parent, 'fetchPluggableArtifact')) {
      task.attributes.set('origin', 'external');
    }
    renameChildren(parent, 'fetchPluggableArtifact', 'fetchartifact');
    for (const task of childrenOf(parent, 'fetchartifact')) {
      const { attributes } = task;
      if ((attributes.get('origin') ?? attributes.get('artifactOrigin')) === 'external') wrapProperties(task);
      if (!attributes.has('origin') && !attributes.has('artifactOrigin')) attributes.set('origin', 'gocd');
    }
  }
}

function wrapProperties(holder: XmlElement): void {
  const properties = takeChildren(holder, 'property');
  if (properties.length > 0) holder.children.unshift(element('configuration', holder, {}, properties));
}

/** 111 */
export function renameFetchOrigins(root: XmlElement): undefined {
  for (const task of named(root, 'fetchartifact')) {
    const origin = takeAttribute(task, 'origin');
    if (origin !== undefined && !task.attributes.has('artifactOrigin')) task.attributes.set('artifactOrigin', origin);
  }
}

/** 130 */
export function dropJobProperties(root: XmlElement): readonly IgnoredContent[] {
  const dropped = named(root, 'job').flatMap((job) => takeChildren(job, 'properties').flatMap((list) => childrenOf(list)));
  if (dropped.length === 0) return [];
  return [
    {
      what: dropped.length === 1 ? '1 property of a job' : `${dropped.length} properties of jobs`,
      why: 'Jobs have had no properties since schema version 130.',
    },
  ];
}

/** 137 */
export function giveJobsTasks(root: XmlElement): readonly IgnoredContent[] {
  const idle = named(root, 'job').filter((job) => childrenOf(job, 'tasks').every((tasks) => childrenOf(tasks).length === 0));
  for (const job of idle) {
    takeChildren(job, 'tasks');
    const task = element('exec', job, { command: 'echo' }, [element('runif', job, { status: 'passed' })]);
    job.children.push(element('tasks', job, {}, [task]));
  }
  if (idle.length === 0) return [];
  return [
    { what: `the empty list of tasks of ${pluralize(idle.length, 'job')}`, why: 'A job has at least one task; `echo` was put there.' },
  ];
}
