// Rules for a pipeline's own members: label, lock, tracking tool, timer.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels and links of the dialect are written with ${…}
import { parseCron } from '../../kit/cron/parse.ts';
import { must, type Problem } from '../../shape/problem.ts';
import { materialName } from './check-materials.ts';
import type { PipelineMaterial } from './materials.ts';

export const LOCK_BEHAVIORS = ['lockOnFailure', 'unlockWhenFinished', 'none'];

const LABEL_FORMAT =
  'Label should be composed of alphanumeric text, it can contain the build number as ${COUNT}, can contain a material revision as ${<material-name>} of ${<material-name>[:<number>]}, or use params as #{<param-name>}.';

export function labelProblems(label: string, pipeline: string, materials: readonly PipelineMaterial[]): Problem[] {
  const at = 'label_template';
  if (label.trim() === '') return must(false, at, `Label cannot be blank. ${LABEL_FORMAT}`);
  const uses = [...label.matchAll(/\$\{([^}]*)\}/g)].map(([, use]) => use!);
  const usesParameters = /#\{[^}]+\}/.test(label);
  const isWellFormed = /^(?:[\w\-.!~*'()#:]|[$#]\{[^}]*\})+$/.test(label);
  if ((uses.length === 0 && !usesParameters) || !isWellFormed) return must(false, at, `Invalid label '${label}'. ${LABEL_FORMAT}`);
  const names = new Set(materials.map((material) => materialName(material)?.toLowerCase()));
  return uses.flatMap((use) => {
    const [variable = '', length] = use.split('[:');
    if (variable.trim() === '') return must(false, at, 'Label template variable cannot be blank.');
    if (variable.toLowerCase().startsWith('env:')) return must(variable.length > 'env:'.length, at, 'Missing environment variable name.');
    if (length !== undefined && /^0+\]$/.test(length))
      return must(false, at, `Length of zero not allowed on label ${label} defined on pipeline ${pipeline}.`);
    const isKnown = variable.toLowerCase() === 'count' || variable.includes('#{') || names.has(variable.toLowerCase());
    return must(
      isKnown,
      at,
      `You have defined a label template in pipeline '${pipeline}' that refers to a material called '${variable}', but no material with this name is defined.`,
    );
  });
}

export interface TrackingTool {
  readonly urlPattern: string;
  readonly regex: string;
}

export function trackingToolProblems(tool: TrackingTool | null): Problem[] {
  if (!tool) return [];
  const at = (key: string) => ['tracking_tool', 'attributes', key];
  if (tool.urlPattern.trim() === '') return must(false, at('url_pattern'), 'Link should be populated');
  return [
    ...must(tool.regex.trim() !== '', at('regex'), 'Regex should be populated'),
    ...must(
      tool.urlPattern.includes('${ID}'),
      at('url_pattern'),
      "Link must be a URL containing '${ID}'. Slipway will replace the string '${ID}' with the first matched group from the regex at run-time.",
    ),
    ...must(/^https?:\/\//i.test(tool.urlPattern), at('url_pattern'), 'Link must be a URL starting with https:// or http://'),
  ];
}

export interface Timer {
  readonly spec: string;
  readonly onlyOnChanges: boolean;
}

export function timerProblems(timer: Timer | null): Problem[] {
  if (!timer) return [];
  const at = ['timer', 'spec'];
  if (timer.spec.trim() === '') return must(false, at, 'Timer Spec can not be null.');
  if (timer.spec.includes('#{')) return [];
  const verdict = parseCron(timer.spec);
  return verdict.ok ? [] : must(false, at, `Invalid cron syntax: ${verdict.reason}`);
}
