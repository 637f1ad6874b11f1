// Files as people write them, each beside its expected result.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParsedFile } from '../../../src/contracts/plugins/config-repo.ts';
import { jsonFormat, yamlFormat } from './formats.ts';
import { type Format, parseText } from './pipelines.ts';

const directory = join(import.meta.dirname, '..', 'corpus');
const EXPECTED = '.expected.json';

export const corpus: readonly string[] = readdirSync(directory).filter((name) => !name.endsWith(EXPECTED));

export function formatOf(name: string): Format {
  return name.endsWith('.json') ? jsonFormat : yamlFormat;
}

export function sourceOf(name: string): string {
  return readFileSync(join(directory, name), 'utf8');
}

export function parseCorpus(name: string): ParsedFile {
  return parseText(formatOf(name), name, sourceOf(name));
}

export function expectedOf(name: string): unknown {
  return JSON.parse(readFileSync(join(directory, name + EXPECTED), 'utf8'));
}

/** All of it but where each value stands. */
export function parsedContent(name: string): unknown {
  const { version, pipelines, environments, problems, warnings } = parseCorpus(name);
  const { pipelines: joined } = formatOf(name).join([parseCorpus(name)]);
  return JSON.parse(
    JSON.stringify({
      version,
      pipelines: pipelines.map(({ displayOrder, line, body }, index) => ({ line, displayOrder, body: joined[index]?.body ?? body })),
      environments: environments.map(({ line, body, agents }) => ({ line, body, agents })),
      problems: problems.map(({ line, column, message }) => `${line}:${column} ${message}`),
      warnings: warnings.map(({ line, column, message, hint }) => `${line}:${column} ${message} ${hint ?? ''}`.trim()),
    }),
  );
}
