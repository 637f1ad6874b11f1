// Reads answers of Amazon ECS, of which no more is kept, shown or sent back than the service can mean.
import { listIn, type Members, textIn } from '../calls/read-answer.ts';

const MAX_ARN_LENGTH = 2048;
const MAX_TOKEN_LENGTH = 8192;
/** Such as `ClusterNotFoundException`. */
const KIND = /^[\w.:-]{1,100}$/;
const UNKNOWN_KIND = 'an unknown reason';

export interface TaskPage {
  readonly arns: readonly string[];
  /** Undefined: it is the last page. */
  readonly nextToken: string | undefined;
}

/** `most`: the requested size of the page. */
export function taskPageIn({ taskArns, nextToken }: Members, limit: number): TaskPage {
  const arns = listIn(taskArns)
    .slice(0, limit)
    .flatMap((arn) => boundedText(arn, MAX_ARN_LENGTH) ?? []);
  return { arns, nextToken: boundedText(nextToken, MAX_TOKEN_LENGTH) };
}

/** The name of the exception of the service. Some answers have a namespace before it. */
export function refusalKind(type: unknown): string {
  const kind = (textIn(type) ?? '').slice(-MAX_TOKEN_LENGTH).replace(/^.*#/s, '');
  return KIND.test(kind) ? kind : UNKNOWN_KIND;
}

function boundedText(value: unknown, maxLength: number): string | undefined {
  const text = textIn(value);
  return text !== undefined && text.length <= maxLength ? text : undefined;
}
