// Reasons why a pipeline does not run whose materials have no modification yet: what is missing, and why the last poll failed.
import type { ConfiguredMaterial } from '../configured.ts';
import type { WhyReason } from './why-reason.ts';

/** The whole text of a failure may be the output of a command. */
const MAX_IN_SENTENCE = 300;

export function noModifications(
  materials: readonly ConfiguredMaterial[],
  failureOf: (fingerprint: string) => string | undefined,
): Pick<WhyReason, 'message' | 'details'> {
  const failures = new Map(materials.map(({ fingerprint }) => [fingerprint, failureOf(fingerprint)]));
  const sentences = materials.map(({ upstream, description, fingerprint }) =>
    upstream
      ? `The stage '${upstream.stage}' of the pipeline '${upstream.pipeline}' has not passed yet: it runs when it does.`
      : `Nothing is known yet of the material ${description}: the pipeline runs when the first poll of it succeeds.${sentenceOf(failures.get(fingerprint))}`,
  );
  return {
    message: sentences.join(' '),
    details: { materials: materials.map((one) => ({ ...materialDetail(one), ...errorDetail(failures.get(one.fingerprint)) })) },
  };
}

/** Of a material of the pipeline or of one upstream. */
export function unknownInFanIn(fingerprint: string, failure: string | undefined): [message: string, details: WhyReason['details']] {
  const message = `Nothing is known yet of a material: the pipeline runs when the first poll of it succeeds.${sentenceOf(failure)}`;
  return [message, { fingerprint, ...errorDetail(failure) }];
}

export function materialDetail({ fingerprint, description, type }: ConfiguredMaterial): WhyReason['details'] {
  return { fingerprint, description, type };
}

function sentenceOf(failure: string | undefined): string {
  if (failure === undefined) return '';
  const text = failure.replaceAll(/\s+/g, ' ').trim();
  return ` The last poll failed: ${text.length > MAX_IN_SENTENCE ? `${text.slice(0, MAX_IN_SENTENCE)}…` : text}`;
}

function errorDetail(failure: string | undefined): WhyReason['details'] {
  return failure === undefined ? {} : { poll_error: failure };
}
