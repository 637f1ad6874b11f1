// Reads answers of Amazon ECS, of which no more is kept, shown or sent back than the service can mean.
import { listIn, type Members, textIn } from '../calls/read-answer.ts';

const LONGEST_ARN = 2048;
const LONGEST_TOKEN = 8192;
/** Such as `ClusterNotFoundException`. */
const KIND = /^[\w.:-]{1,100}$/;
const UNKNOWN_KIND = 'an unknown reason';

export interface TaskPage {
  readonly arns: readonly string[];
  /** Undefined: it is the last page. */
  readonly nextToken: string | undefined;
}

/** `most`: the requested size of the page. */
export function taskPageIn({ taskArns, nextToken }: Members, most: number): TaskPage {
  const arns = listIn(taskArns)
    .slice(0, most)
    .flatMap((arn) => boundedText(arn, LONGEST_ARN) ?? []);
  return { arns, nextToken: boundedText(nextToken, LONGEST_TOKEN) };
}

/** The name of the exception of the service. Some answers have a namespace before it. */
export function refusalKind(type: unknown): string {
  const kind = (textIn(type) ?? '').slice(-LONGEST_TOKEN).replace(/^.*#/s, '');
  return KIND.test(kind) ? kind : UNKNOWN_KIND;
}

function boundedText(value: unknown, most: number): string | undefined {
  const text = textIn(value);
  return text !== undefined && text.length <= most ? text : undefined;
}
