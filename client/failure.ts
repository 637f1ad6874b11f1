// What a request to the server came to when it did not succeed.
import { isObject, type Json } from './json.ts';

/** What the server says of single fields of what was sent, by their names. */
export type FieldProblems = Readonly<Record<string, readonly string[]>>;

export class ApiFailure extends Error {
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  readonly fields: FieldProblems;
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined;
  /** All that the server said, where it said it in JSON. */
  readonly answer: Json | undefined;

  constructor(status: number, message: string, fields: FieldProblems = {}, retryAfter?: number, answer?: Json) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.retryAfter = retryAfter;
    this.answer = answer;
  }

  /** What the refusal is about: what was sent with its problems, or what a conflict is with. */
  get data(): Json | undefined {
    return isObject(this.answer) ? this.answer.data : undefined;
  }

  /** The server cannot be reached: a later attempt may succeed, and data read before stays valid until then. */
  get isUnavailable(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

/** Reads the body of a refusal: `{"message": …, "data": {"errors": …}}`, or a plain sentence. Where there is none, `messageFor` gives it. */
export async function failureOf(response: Response, messageFor: (status: number) => string = defaultMessage): Promise<ApiFailure> {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const { message, fields, answer } = readRefusal(await response.text());
  const text = message ?? messageFor(response.status);
  return new ApiFailure(response.status, text, fields, Number.isNaN(retryAfter) ? undefined : retryAfter, answer);
}

interface RefusalBody {
  readonly message?: string;
  readonly data?: { readonly errors?: FieldProblems };
  /** Of users and access tokens, the answer is what was sent. */
  readonly errors?: FieldProblems;
}

function readRefusal(text: string): { message: string | undefined; fields: FieldProblems; answer?: Json } {
  let answer: Json;
  try {
    answer = JSON.parse(text) as Json;
  } catch {
    // Feeds, consoles and proxies answer with a sentence.
    const isSentence = text.length > 0 && text.length < 500 && !text.trimStart().startsWith('<');
    return { message: isSentence ? text.trim() : undefined, fields: {} };
  }
  const body = (isObject(answer) ? answer : {}) as RefusalBody;
  return { message: body.message, fields: body.data?.errors ?? body.errors ?? {}, answer };
}

function defaultMessage(status: number): string {
  return `The server answered with status ${status}.`;
}
