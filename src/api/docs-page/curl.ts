// A request as a line for curl, with the examples of a route in it.
import { isObject, type Json, type JsonSchema } from '../../shape/json/json.ts';
import { MERGE_PATCH } from '../../shape/json/merge-patch.ts';
import { isWrite } from '../engine/failures.ts';
import type { Route } from '../engine/route.ts';
import { DEFAULT_VENDOR, mediaType } from '../http/headers/vendor.ts';

/** The names are those that the command line takes, too. */
const LOGIN = '--user "$SLIPWAY_USER:$SLIPWAY_PASSWORD"';
const SERVER = '$SLIPWAY_URL';
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';
const MAX_LINE_LENGTH = 110;

interface Body {
  readonly media: string;
  readonly example: Json;
}

/** One for each form in which the example of the body can be sent; none for a route that always refuses, or speaks another protocol. */
export function curlLines(route: Route): readonly string[] {
  const { request, bodies = request && { [JSON_TYPE]: request }, protocol, status = 200 } = route.description;
  if (protocol !== undefined || status >= 400) return [];
  if (!bodies) return [curlLine(route, undefined)];
  return Object.entries(bodies).flatMap(([media, { example }]) => (example === undefined ? [] : [curlLine(route, { media, example })]));
}

function curlLine(route: Route, body: Body | undefined): string {
  const { method, permission } = route;
  const isPlainPost = method === 'POST' && body !== undefined;
  const parts = [
    `curl${permission === 'anyone' ? '' : ` ${LOGIN}`}`,
    ...(method === 'GET' || isPlainPost ? [] : [`--request ${method}`]),
    ...headersOf(route, body).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(body ? dataOf(body) : []),
    `"${SERVER}${addressOf(route)}"`,
  ];
  return joined(parts);
}

/** Short requests in one line, others with a line for each part. */
function joined(parts: readonly string[]): string {
  const line = parts.join(' ');
  return line.length <= MAX_LINE_LENGTH && !line.includes('\n') ? line : parts.join(' \\\n  ');
}

function headersOf(route: Route, body: Body | undefined): readonly (readonly [string, string])[] {
  const { version, media, description } = route;
  const accepted = media ?? (version === null ? undefined : mediaType(DEFAULT_VENDOR, version));
  return [
    ...(accepted === undefined ? [] : [['Accept', accepted] as const]),
    // The boundary of a form is made by curl.
    ...(body === undefined || body.media === FORM_TYPE ? [] : [['Content-Type', body.media] as const]),
    ...(description.ifMatch === 'required' || body?.media === MERGE_PATCH ? [['If-Match', '*'] as const] : []),
    ...(isWrite(route) && !isJson(body?.media) ? [['X-Svc-Confirm', 'true'] as const] : []),
    ...examplesIn(description.headers),
  ];
}

function isJson(media = ''): boolean {
  return media === JSON_TYPE || media.endsWith('+json');
}

function dataOf({ media, example }: Body): readonly string[] {
  if (isJson(media)) return [`--data ${quoted(JSON.stringify(example, undefined, 2))}`];
  if (!isObject(example)) return [`--data-binary ${quoted(String(example))}`];
  return Object.entries(example).flatMap(([name, value]) => {
    if (media !== FORM_TYPE) return [`--data-urlencode ${quoted(`${name}=${String(value)}`)}`];
    return Array.isArray(value)
      ? value.map((_, index) => `--form ${quoted(`${name}=@file-${index + 1}`)}`)
      : [`--form ${quoted(`${name}=<file`)}`];
  });
}

/** The address with the examples of its parameters, as it stands between double quotes. */
function addressOf({ path, description }: Route): string {
  const { parameters = {}, query } = description;
  const filled = path.replace(/[:*](\w+)/g, (_, name: string) => encodeURIComponent(parameters[name]?.example ?? name));
  const wanted = new URLSearchParams(examplesIn(query).map(([name, value]) => [name, value]));
  return wanted.size === 0 ? filled : `${filled}?${wanted}`;
}

/** Parameters without which an example would not work have one. */
function examplesIn(schemas: Readonly<Record<string, JsonSchema>> = {}): readonly (readonly [string, string])[] {
  return Object.entries(schemas).flatMap(([name, { example }]) => (example === undefined ? [] : [[name, String(example)] as const]));
}

/** As one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
