// One route on the page: which users may use it, the request, the answer, the failures.
import { isObject, type Json, type JsonSchema } from '../../shape/json/json.ts';
import { failuresOf, isWrite, supportsDryRun } from '../engine/failures.ts';
import { type Route, resolveLazy } from '../engine/route.ts';
import { DEFAULT_VENDOR, mediaType } from '../http/headers/vendor.ts';
import { permissionText, scopeText } from '../openapi/permission-text.ts';
import { curlLines } from './curl.ts';
import { address, escaped, fold, json, prose, table } from './html.ts';
import { bodyHtml, type LinkOf } from './schema-html.ts';

const DEFAULT_BODY = 'application/json';
/** Failures described once, under the conventions, and not again at each route. */
const COMMON_FAILURES = new Set([401, 413, 415, 429, 500, 503]);

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function inOrder(one: Route, other: Route): number {
  if (one.path !== other.path) return sortedAs(one.path) < sortedAs(other.path) ? -1 : 1;
  return METHODS.indexOf(one.method) - METHODS.indexOf(other.method);
}

/** A route that disables something comes after the one that enables it. */
function sortedAs(path: string): string {
  return path.replace(/\/disable$/, '/enable off');
}

/** Stands for a route in links; it distinguishes those that differ only in their version or media type. */
export function routeAnchor({ method, path, version, media }: Route): string {
  const parts = [method, path, ...(media === undefined ? [] : [media]), ...(version === null ? [] : [`v${version}`])].join(' ');
  return parts.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

/** `shown` are the answers that the chapter has shown already. */
export function routeHtml(route: Route, shown: Set<string>, linkOf: LinkOf): string {
  const { method, path, description } = route;
  return `<article id="${routeAnchor(route)}">
<h3><code class="method ${method.toLowerCase()}">${method}</code> <code>${address(path)}</code></h3>
<p>${prose(description.summary)}.${description.details ? ` ${prose(description.details)}` : ''}</p>
${factsHtml(route)}
${parametersHtml(route)}
${requestHtml(route, linkOf)}
${exampleHtml(route)}
${answerHtml(route, shown, linkOf)}
${failuresHtml(route)}
</article>`;
}

function factsHtml(route: Route): string {
  const { description } = route;
  const facts: [string, string][] = [
    ['For', `${prose(permissionText(route))}`],
    ...(route.permission === 'anyone' ? [] : ([['Scope of tokens', escaped(scopeText(route))]] as [string, string][])),
    ['Accept', acceptOf(route)],
  ];
  if (description.ifMatch) facts.push(['If-Match', description.ifMatch]);
  if (route.deprecation) facts.push(['Deprecated', `since ${escaped(route.deprecation.deprecatedIn)}`]);
  return `<dl>${facts.map(([term, fact]) => `<dt>${term}</dt><dd>${fact}</dd>`).join('')}</dl>`;
}

function acceptOf({ version, alsoVersions = [], media }: Route): string {
  if (version === null && media === undefined) return 'anything';
  const older = alsoVersions.length > 0 ? `, also in version ${alsoVersions.join(' or ')}` : '';
  return `<code>${escaped(media ?? mediaType(DEFAULT_VENDOR, version!))}</code>${older}`;
}

function parametersHtml(route: Route): string {
  const { parameters = {}, query = {}, headers = {} } = route.description;
  const inPath = Object.entries(parameters).map(([name, { description, example }]) => [
    `<code>${escaped(name)}</code>`,
    'path',
    `${prose(description)} Example: <code>${escaped(example)}</code>.`,
  ]);
  const others = (where: string, schemas: Readonly<Record<string, JsonSchema>>) =>
    Object.entries(schemas).map(([name, schema]) => [`<code>${escaped(name)}</code>`, where, optionOf(schema)]);
  const rows = [...inPath, ...others('query', query), ...others('header', headers)];
  return rows.length === 0 ? '' : table(['Parameter', 'In', 'Meaning'], rows);
}

function optionOf({ description = '', enum: values, default: absent }: JsonSchema): string {
  const choice = Array.isArray(values) ? ` One of ${values.map((value) => `<code>${escaped(String(value))}</code>`).join(', ')}.` : '';
  return `${prose(String(description))}${choice}${absent === undefined ? '' : ` Default: <code>${escaped(String(absent))}</code>.`}`;
}

function requestHtml({ description }: Route, linkOf: LinkOf): string {
  const { request, bodies = request && { [DEFAULT_BODY]: request } } = description;
  const parts = Object.entries(bodies ?? {}).map(([media, { schema }]) => {
    const { type, members } = bodyHtml(resolveLazy(schema), true, linkOf);
    return `<h4>${labelled('Body', type)}${media === DEFAULT_BODY ? '' : ` as <code>${escaped(media)}</code>`}</h4>${members}`;
  });
  return parts.join('');
}

/** The bodies of examples are in the lines for curl. */
function exampleHtml(route: Route): string {
  const note = isWrite(route) && !supportsDryRun(route) ? ' <small>Changes nothing.</small>' : '';
  const lines = curlLines(route);
  return lines.length === 0
    ? ''
    : `<h4>Example${note}</h4>${lines.map((line) => `<pre class="curl"><code>${escaped(line)}</code></pre>`).join('')}`;
}

function answerHtml({ description }: Route, shownBefore: Set<string>, linkOf: LinkOf): string {
  const { response, example, type: media, status = 200 } = description;
  if (status >= 400) return '<p>Always refused.</p>';
  if (!response) return `<p>Answer: ${status} without a body.</p>`;
  const { type, members } = bodyHtml(resolveLazy(response), false, linkOf);
  const answer = example === undefined ? '' : json(resolveLazy(example));
  const shown = members + (shownBefore.has(answer) ? '' : answer);
  shownBefore.add(answer);
  const title = `${labelled('Answer', type)}${media ? ` as <code>${escaped(media)}</code>` : ''}`;
  return shown === '' ? `<p>${title}</p>` : fold(title, shown);
}

function labelled(label: string, type: string): string {
  return type === '' ? label : `${label}: ${type}`;
}

function failuresHtml(route: Route): string {
  const failures = Object.entries(failuresOf(route)).filter(
    ([status]) => !COMMON_FAILURES.has(Number(status)) || isDeclared(route, status),
  );
  if (failures.length === 0) return '';
  const rows = failures.map(([status, { when, example }]) => [
    `<code>${status}</code>`,
    prose(when),
    example === undefined ? '' : prose(bodyText(resolveLazy(example))),
  ]);
  return fold('When it fails', table(['Status', 'When', 'Message, for example'], rows));
}

/** The message of a failure, without the other members of its body. */
function bodyText(example: Json): string {
  return String(isObject(example) ? (example.message ?? example.result) : example);
}

function isDeclared({ description }: Route, status: string): boolean {
  return description.failures?.[Number(status)] !== undefined;
}
