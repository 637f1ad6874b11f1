// Rules for the artifacts and tabs of a job.
import { hasControlCharacter, NO_CONTROL_CHARACTERS } from '../../../kit/text/control-characters.ts';
import { isName, NAME_RULE } from '../../../shape/fields.ts';
import type { Path, Problem } from '../../../shape/problems/problem.ts';
import { isSecret } from '../../../shape/secrets/secret.ts';
import { FILE_PATH_PATTERN, isFilePath, leavesDirectory } from '../file-path.ts';
import type { Artifact, Job } from '../jobs.ts';
import { repeated } from './names.ts';
import { reporter } from './report.ts';

const MAX_TAB_NAME_LENGTH = 15;
const BLANK = /\s/;

export function tabProblems({ tabs }: Job, at: Path, problems: Problem[]): void {
  for (const index of repeated(tabs, (tab) => tab.name))
    problems.push({ at: [...at, 'tabs', index, 'name'], message: `Tab name '${tabs[index]!.name}' is not unique.` });
  for (const [index, { name, path }] of tabs.entries()) {
    const report = reporter(problems, [...at, 'tabs', index]);
    if (name.length > MAX_TAB_NAME_LENGTH) report('name', 'Tab name should not exceed 15 characters');
    if (!isName(name)) report('name', `Tab name '${name}' is invalid. ${NAME_RULE}`);
    if (path === '' || BLANK.test(path) || hasControlCharacter(path))
      report('path', `Tab path '${path}' is invalid. This must be a valid file path.`);
  }
}

export function artifactProblems({ artifacts, name }: Job, at: Path, problems: Problem[]): void {
  if (artifacts.length === 0) return;
  repeatedArtifacts(artifacts, at, problems);
  for (const [index, artifact] of artifacts.entries()) {
    const report = reporter(problems, [...at, 'artifacts', index]);
    if (artifact.type === 'external') {
      const { artifactId, storeId } = artifact.attributes;
      if (artifactId.trim() === '') report('artifact_id', '"Id" is required for PluggableArtifact');
      else if (!isName(artifactId)) report('artifact_id', `Invalid pluggable artifact id name '${artifactId}'. ${NAME_RULE}`);
      if (storeId.trim() === '') report('store_id', '"Store id" is required for PluggableArtifact');
    } else {
      const { source, destination } = artifact.attributes;
      if (source.trim() === '') report('source', `Job '${name}' has an artifact with an empty source`);
      if (hasControlCharacter(source)) report('source', NO_CONTROL_CHARACTERS);
      if (hasControlCharacter(destination ?? '')) report('destination', NO_CONTROL_CHARACTERS);
      else if (destination && (leavesDirectory(destination) || !isFilePath(destination)))
        report('destination', `Invalid destination path. Destination path should match the pattern ${FILE_PATH_PATTERN}`);
    }
  }
}

function repeatedArtifacts(artifacts: readonly Artifact[], at: Path, problems: Problem[]): void {
  if (artifacts.length < 2) return;
  const reportAll = (indexes: readonly number[], key: string, message: (index: number) => string) => {
    for (const index of indexes) problems.push({ at: [...at, 'artifacts', index, key], message: message(index) });
  };
  reportAll(repeated(artifacts, builtIn, asWritten), 'source', () => 'Duplicate artifacts defined.');
  reportAll(
    repeated(artifacts, artifactId),
    'artifact_id',
    (index) => `Duplicate pluggable artifacts with id \`${artifactId(artifacts[index]!)}\` defined.`,
  );
  reportAll(repeated(artifacts, settings, asWritten), 'artifact_id', () => 'Duplicate pluggable artifacts configuration defined.');
}

function builtIn(artifact: Artifact): string | null {
  return artifact.type === 'external' ? null : `${artifact.attributes.source}\n${artifact.attributes.destination ?? ''}`;
}

function artifactId(artifact: Artifact): string | null {
  return artifact.type === 'external' ? artifact.attributes.artifactId : null;
}

/** Equal for two artifacts with the same store and settings, whatever their ids. */
function settings(artifact: Artifact): string | null {
  if (artifact.type !== 'external' || artifact.attributes.storeId === '') return null;
  const { storeId, configuration } = artifact.attributes;
  return JSON.stringify([storeId, ...configuration.map(({ key, value }) => [key, isSecret(value) ? { secret: value.digest } : value])]);
}

function asWritten(text: string): string {
  return text;
}
