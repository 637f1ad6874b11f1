// Rules for a pipeline's own members: label, lock, tracking tool, timer.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels and links of GoCD are written with ${…}
import { parseCron } from '../../../kit/cron/parse.ts';
import { type Problem, problemUnless } from '../../../shape/problems/problem.ts';
import type { Lookup } from '../../../shape/resource.ts';
import type { Origin } from '../../parts/origin.ts';
import type { PipelineMaterial } from '../materials.ts';
import { materialName } from './materials.ts';

export const LOCK_BEHAVIORS = ['lockOnFailure', 'unlockWhenFinished', 'none'];

const LABEL_FORMAT =
  'Label should be composed of alphanumeric text, it can contain the build number as ${COUNT}, can contain a material revision as ${<material-name>} of ${<material-name>[:<number>]}, or use params as #{<param-name>}.';

const VARIABLE = /\$\{([^}]*)\}/g;
const WELL_FORMED = /^(?:[\w\-.!~*'()#:]|\$\{[^}]*\})+$/;
const ZERO_LENGTH = /^0+\]$/;

/** Materials that are named elsewhere: the SCMs of plugins. */
export interface ScmsView {
  readonly scms: Lookup<{ readonly name: string; readonly origin: Origin | null }>;
}

export interface LabelledPipeline {
  readonly name: string;
  readonly labelTemplate: string;
  readonly materials: readonly PipelineMaterial[];
  readonly origin: Origin | null;
}

export function labelProblems(pipeline: LabelledPipeline, { scms }: ScmsView): Problem[] {
  const { labelTemplate: label, name, materials, origin } = pipeline;
  const at = 'label_template';
  if (label === '${COUNT}') return [];
  if (label.trim() === '') return problemUnless(false, at, `Label cannot be blank. ${LABEL_FORMAT}`);
  // First whether it is well formed: only then is each of its variables closed, and none looked for to the end of the text.
  const uses = WELL_FORMED.test(label) ? Array.from(label.matchAll(VARIABLE), ([, use]) => use!) : [];
  if (uses.length === 0) return problemUnless(false, at, `Invalid label '${label}'. ${LABEL_FORMAT}`);
  const names = new Set(materials.map((material) => calledName(material, scms, origin)?.toLowerCase()));
  return uses.flatMap((use) => {
    const [variable = '', length] = use.split('[:');
    if (variable.trim() === '') return problemUnless(false, at, 'Label template variable cannot be blank.');
    const key = variable.toLowerCase();
    if (key.startsWith('env:')) return problemUnless(variable.length > 'env:'.length, at, 'Missing environment variable name.');
    if (length !== undefined && ZERO_LENGTH.test(length))
      return problemUnless(false, at, `Length of zero not allowed on label ${label} defined on pipeline ${name}.`);
    return problemUnless(
      key === 'count' || names.has(key),
      at,
      `You have defined a label template in pipeline '${name}' that refers to a material called '${variable}', but no material with this name is defined.`,
    );
  });
}

/** The name that the pipeline itself gives the material, whatever other pipelines call it. */
function calledName(material: PipelineMaterial, scms: ScmsView['scms'], origin: Origin | null): string | null | undefined {
  return materialName(material, origin) ?? (material.type === 'plugin' ? scms.get(material.attributes.ref)?.name : undefined);
}

export interface TrackingTool {
  readonly urlPattern: string;
  readonly regex: string;
}

export function trackingToolProblems(tool: TrackingTool | null): Problem[] {
  if (!tool) return [];
  const at = (key: string) => ['tracking_tool', 'attributes', key];
  const regex = problemUnless(tool.regex.trim() !== '', at('regex'), 'Regex should be populated');
  if (tool.urlPattern.trim() === '') return [...problemUnless(false, at('url_pattern'), 'Link should be populated'), ...regex];
  return [
    ...regex,
    ...problemUnless(
      tool.urlPattern.includes('${ID}'),
      at('url_pattern'),
      "Link must be a URL containing '${ID}'. Slipway will replace the string '${ID}' with the first matched group from the regex at run-time.",
    ),
    ...problemUnless(/^https?:\/\//i.test(tool.urlPattern), at('url_pattern'), 'Link must be a URL starting with https:// or http://'),
  ];
}

export interface Timer {
  readonly spec: string;
  readonly onlyOnChanges: boolean;
}

export function timerProblems(timer: Timer | null): Problem[] {
  if (!timer) return [];
  const at = ['timer', 'spec'];
  if (timer.spec.trim() === '') return problemUnless(false, at, 'Timer Spec can not be null.');
  const parsed = parseCron(timer.spec);
  return parsed.ok ? [] : problemUnless(false, at, `Invalid cron syntax: ${parsed.reason}`);
}
